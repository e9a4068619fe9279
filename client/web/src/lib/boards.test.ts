import { describe, expect, it } from 'vitest';
import {
  FIRST_CHOICE,
  type Choice,
  marksOf,
  movesOf,
  neighboursBeside,
  notYet,
  ownEntry,
  possible,
  readChoice,
  searchOf,
  valueOf,
  withMore,
} from './boards';
import type { LeaderboardEntry } from './protocol';

function entry(changes: Partial<LeaderboardEntry>): LeaderboardEntry {
  return {
    rank: 1,
    player_id: 'ada',
    name: 'Ada',
    bot: false,
    value: 0,
    uncertainty: null,
    rounds: 3,
    wins: 2,
    moves: null,
    optimum: null,
    official_ms: null,
    errors: null,
    interrupted: false,
    round_id: 'r',
    ...changes,
  };
}

describe('a choice of leaderboard', () => {
  it('is the rating of people at first, and that needs no words in the address', () => {
    expect(readChoice('')).toEqual({ board: 'rating', preset: null, period: 'all', list: 'people' });
    expect(searchOf(FIRST_CHOICE)).toBe('');
  });

  it('comes back out of the address that it was put in', () => {
    const choices: Choice[] = [
      { board: 'sprint', preset: null, period: 'day', list: 'people' },
      { board: 'fastest', preset: 'expert', period: 'week', list: 'bots' },
      { board: 'fewest', preset: 'initiate', period: 'all', list: 'apart' },
      { board: 'rating', preset: 'spire', period: 'all', list: 'people' },
    ];
    for (const choice of choices) expect(readChoice(searchOf(choice))).toEqual(choice);
  });

  it('never asks for a board that does not exist', () => {
    expect(possible({ board: 'rating', preset: null, period: 'day', list: 'people' }).period).toBe('all');
    expect(possible({ board: 'fastest', preset: null, period: 'day', list: 'people' }).preset).toBe('standard');
    expect(possible({ board: 'fewest', preset: 'expert', period: 'day', list: 'bots' })).toEqual({
      board: 'fewest',
      preset: 'expert',
      period: 'day',
      list: 'bots',
    });
    expect(possible({ board: 'sprint', preset: null, period: 'day', list: 'people' }).preset).toBeNull();
  });

  it('is as at first where the address holds nonsense', () => {
    expect(readChoice('?board=slowest&preset=easy&period=year&list=cats')).toEqual(FIRST_CHOICE);
  });
});

describe('a value', () => {
  it('reads as what the board compares', () => {
    expect(valueOf('rating', entry({ value: 1612, uncertainty: 88 }))).toBe('1612 ± 88');
    expect(valueOf('sprint', entry({ value: 12_340 }))).toBe('12,340');
    expect(valueOf('fastest', entry({ value: 65_342, official_ms: 65_342 }))).toBe('1:05.342');
    // 25 ÷ 24 = 1.041666…
    expect(valueOf('fewest', entry({ value: 1_041_666, moves: 25, optimum: 24 }))).toBe('1.042');
    expect(valueOf('fewest', entry({ value: 1_000_000, moves: 24, optimum: 24 }))).toBe('1.000');
  });

  it('tells moves beside the least that would have done', () => {
    expect(movesOf(entry({ moves: 25, optimum: 24 }))).toBe('25 / 24');
    expect(movesOf(entry({}))).toBe('–');
  });
});

describe('the own place', () => {
  const others = [entry({ player_id: 'bo', rank: 1 }), entry({ player_id: 'cy', rank: 2 })];
  const around = [
    entry({ player_id: 'dee', rank: 811 }),
    entry({ player_id: 'ada', rank: 812 }),
    entry({ player_id: 'eve', rank: 813 }),
  ];

  it('is shown with its neighbours where the page does not hold it', () => {
    expect(neighboursBeside(others, around, 'ada')).toEqual(around);
    expect(ownEntry(around, 'ada')?.rank).toBe(812);
  });

  it('is not shown twice where the page holds it', () => {
    expect(neighboursBeside([...others, ...around], around, 'ada')).toEqual([]);
  });

  it('is nowhere for who does not stand on the board, and neighbours without oneself are none', () => {
    expect(ownEntry(others, 'ada')).toBeNull();
    expect(neighboursBeside(others, [], 'ada')).toEqual([]);
    expect(neighboursBeside(others, [entry({ player_id: 'dee' })], 'ada')).toEqual([]);
  });

  it('is missed only on lists that the player could stand on', () => {
    expect(notYet(FIRST_CHOICE)).toContain('once it has settled');
    expect(notYet({ ...FIRST_CHOICE, board: 'sprint' })).toContain('quick match');
    expect(notYet({ ...FIRST_CHOICE, board: 'fastest', preset: 'standard' })).toContain('without an error');
    expect(notYet({ ...FIRST_CHOICE, list: 'apart' })).toBe('');
    expect(notYet({ ...FIRST_CHOICE, list: 'bots' })).toBe('');
  });
});

describe('a further page', () => {
  it('shows nobody twice who has moved meanwhile', () => {
    const shown = [entry({ player_id: 'ada', rank: 1 }), entry({ player_id: 'ben', rank: 2 })];
    const more = [entry({ player_id: 'cyd', rank: 3 }), entry({ player_id: 'ada', rank: 4 })];
    expect(withMore(shown, more).map((of) => of.player_id)).toEqual(['ada', 'ben', 'cyd']);
    expect(withMore([], more)).toEqual(more);
  });
});

describe('a score that was reached alone', () => {
  it('is marked with its errors and with an interruption, and a race is not', () => {
    const marked = entry({ errors: 2, interrupted: true });
    expect(marksOf('stage', marked)).toEqual(['2 errors', 'interrupted']);
    expect(marksOf('daily', entry({ errors: 1 }))).toEqual(['1 error']);
    expect(marksOf('stage', entry({ errors: 0 }))).toEqual([]);
    expect(marksOf('fastest', marked)).toEqual([]);
  });
});
