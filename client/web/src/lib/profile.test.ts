import { describe, expect, it } from 'vitest';
import { inSeries, opponentsOf, outcomeOf, seatOf } from './profile';
import type { MatchSummary, ShownRating, SeatResult } from './protocol';

function seat(player: string, name: string, rank: number): SeatResult {
  return {
    seat: rank - 1,
    player,
    name,
    bot: false,
    rank,
    finish: null,
    gave_up: false,
    absent: false,
    settled: 0,
    moves: 0,
    errors: 0,
    flawless: true,
    score: 0,
    stars: 0,
    crown: false,
  };
}

function round(...seats: SeatResult[]): MatchSummary {
  return {
    round_id: 'r',
    finished_at_ms: 0,
    preset: 'standard',
    result: { round: 1, round_id: 'r', ended: 'time_up', interrupted: false, optimum: 24, par: 27, seats },
  };
}

describe('a round on the page of a player', () => {
  const four = round(seat('a', 'Ada', 1), seat('b', 'Bo', 2), seat('c', 'Cy', 2), seat('d', 'Dee', 4));

  it('tells the place among how many', () => {
    expect(outcomeOf(four, 'a')).toBe('1st of 4');
    expect(outcomeOf(four, 'c')).toBe('2nd of 4');
    expect(outcomeOf(four, 'd')).toBe('4th of 4');
    expect(outcomeOf(four, 'nobody')).toBe('–');
  });

  it('names the others and never the player', () => {
    expect(opponentsOf(four, 'c')).toBe('Ada, Bo, Dee');
    expect(opponentsOf(round(seat('a', 'Ada', 1)), 'a')).toBe('nobody');
    expect(seatOf(four, 'b')?.name).toBe('Bo');
  });
});

describe('a rating', () => {
  const rating = (preset: ShownRating['preset'], value: number): ShownRating => ({
    preset,
    rating: value,
    uncertainty: 90,
    provisional: false,
    rounds: 40,
  });

  it('is looked up by its boards, all of them together apart', () => {
    const ratings = [rating(null, 1_500), rating('expert', 1_700)];
    expect(inSeries(ratings, null)?.rating).toBe(1_500);
    expect(inSeries(ratings, 'expert')?.rating).toBe(1_700);
    expect(inSeries(ratings, 'spire')).toBeNull();
  });
});
