import { describe, expect, it } from 'vitest';
import type { Mark, Match, SeatResult, WireEvent } from './protocol';
import { lengthOf, markAt, momentAt, momentsOf, stepFrom } from './replay';

/** Two towers of two, each disk of size 1 on the wrong one: 1→3, 2→1, 3→2 is harmony. */
const SWAPPED = 'R2S1/S2R1/-/- 7';

function seat(number: number): SeatResult {
  const nothing = { rank: 1, finish: null, gave_up: false, absent: false, settled: 0, moves: 0, errors: 0 };
  return { seat: number, player: `p${number}`, name: `P${number}`, bot: false, flawless: true, score: 0, stars: 0, crown: false, ...nothing };
}

function transferred(number: number, n: number, from: number, to: number): WireEvent {
  return { type: 'transferred', seq: 0, seat: number, n, from, to } as WireEvent;
}

function round(board: string | null, events: [number, WireEvent][]): Match {
  return {
    reveal: { board },
    result: { seats: [seat(2), seat(1)] },
    events: events.map(([clock_ms, event]) => ({ clock_ms, event })),
  } as unknown as Match;
}

const finish = { raw_ms: 2_500, credit_ms: 0, official_ms: 2_500 };
const RACE = momentsOf(
  round(SWAPPED, [
    [-3_000, { type: 'readied', seq: 0, seat: 1, ready: true } as WireEvent],
    [1_000, transferred(1, 1, 1, 3)],
    [1_400, transferred(2, 1, 2, 4)],
    [2_000, transferred(1, 2, 2, 1)],
    [2_500, transferred(1, 3, 3, 2)],
    [2_500, { type: 'finished', seq: 0, seat: 1, finish } as WireEvent],
    [2_600, { type: 'gave_up', seq: 0, seat: 2 } as WireEvent],
  ]),
);

describe('a stored round', () => {
  it('begins at T0 with the same board for all, by seat', () => {
    expect(RACE[0]?.ms).toBe(0);
    expect(RACE[0]?.racers.map((racer) => racer.seat)).toEqual([1, 2]);
    expect(RACE[0]?.racers[0]?.play?.board.pegs).toEqual(RACE[0]?.racers[1]?.play?.board.pegs);
  });

  it('counts at T0 the disks that are settled on the board as it was dealt', () => {
    expect(RACE[0]?.racers.map((racer) => racer.settled)).toEqual([2, 2]);
  });

  it('shows everybody as they stood at an instant, and nothing from before its own time', () => {
    const at = (ms: number) => RACE[momentAt(RACE, ms)];
    expect(at(999)?.racers.map((racer) => racer.moves)).toEqual([0, 0]);
    expect(at(1_000)?.racers.map((racer) => racer.moves)).toEqual([1, 0]);
    expect(at(1_999)?.racers.map((racer) => racer.moves)).toEqual([1, 1]);
    expect(at(2_499)?.racers[0]?.finish).toBeNull();
    expect(at(2_500)?.racers[0]?.finish).toEqual(finish);
    expect(at(2_500)?.racers[0]?.settled).toBe(4);
    expect(at(2_500)?.racers[0]?.play?.board.pegs).toEqual([['R2', 'R1'], ['S2', 'S1'], [], []]);
    expect(at(2_599)?.racers[1]?.gaveUp).toBe(false);
    expect(at(9_999)?.racers[1]?.gaveUp).toBe(true);
  });

  it('is as long as until its last event, and steps from one to the next', () => {
    expect(lengthOf(RACE)).toBe(2_600);
    expect(stepFrom(RACE, 0, 1)).toBe(1_000);
    expect(stepFrom(RACE, 1_000, 1)).toBe(1_400);
    expect(stepFrom(RACE, 1_500, -1)).toBe(1_400);
    expect(stepFrom(RACE, 1_000, -1)).toBe(0);
    expect(stepFrom(RACE, 0, -1)).toBe(0);
    expect(stepFrom(RACE, 2_600, 1)).toBe(2_600);
  });

  it('marks a seat’s last transfer for as long as it is the last one and stands', () => {
    const told = (seq: number, event: object) => ({ seq, seat: 1, n: seq, ...event }) as unknown as WireEvent;
    const moments = momentsOf(
      round(SWAPPED, [
        [100, told(5, { type: 'transferred', from: 1, to: 3 })],
        [200, told(6, { type: 'lifted', peg: 2 })],
        [300, told(7, { type: 'transferred', from: 2, to: 4 })],
        [400, told(8, { type: 'undone', from: 2, to: 4 })],
      ]),
    );
    const marks = [5, 7].map((seq): Mark => ({ seq, seat: 1, clock_ms: 0, transfer: '', cost: 2, better: [] }));
    const shown = (seat: number) => moments.map((_, at) => markAt(moments, at, marks, seat)?.seq);
    expect(shown(1)).toEqual([undefined, 5, 5, 7, undefined]);
    expect(shown(2)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it('without a board has nothing to show', () => {
    expect(momentsOf(round(null, []))).toEqual([]);
    expect(lengthOf([])).toBe(0);
  });
});
