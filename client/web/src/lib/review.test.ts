import { describe, expect, it } from 'vitest';
import type { CurveView, Mark, Review, SeatReview, ToGo } from './protocol';
import { withDistance } from './curves';
import { boundsOf, isMistake, leadChanges, mistakeFrom, sayCost, sayToGo, summaryOf, toGoAt } from './review';

function mark(seq: number, clock_ms: number, cost: Mark['cost']): Mark {
  return { seq, seat: 1, clock_ms, transfer: '1-3', cost, better: [] };
}

function seat(number: number, more: Partial<SeatReview>): SeatReview {
  const none = { transfers: 9, optimal: 9, wasteful: 0, wasted: 0, undone: 0, resets: 0, errors: 0, penalty_moves: 0 };
  return { seat: number, ...none, ...more };
}

function review(more: Partial<Review>): Review {
  return { format: 1, complete: true, optimum: 9, curves: [], seats: [], marks: [], leads: [], ...more };
}

describe('a distance', () => {
  it.each<[ToGo, string]>([
    [14, '14 to go'],
    [0, 'harmony'],
    ['lost', 'lost'],
    [[12, 17], '12–17 to go'],
    [[12, null], 'at least 12 to go'],
    [[5, 5], '5 to go'],
  ])('%j is told as %s', (toGo, words) => expect(sayToGo(toGo)).toBe(words));

  it('has no bounds where the board is lost, and both where it is exact', () => {
    expect(boundsOf('lost')).toEqual({ lower: null, upper: null, isLost: true });
    expect(boundsOf(7)).toEqual({ lower: 7, upper: 7, isLost: false });
    expect(boundsOf([7, null])).toEqual({ lower: 7, upper: null, isLost: false });
  });

  it('is that of the last point at or before an instant', () => {
    const curve: CurveView = { seat: 1, points: [[0, 9], [1_000, 8], [2_500, 'lost']] };
    expect([0, 999, 1_000, 2_499, 2_500, 99_999].map((ms) => toGoAt(curve, ms))).toEqual([9, 9, 8, 8, 'lost', 'lost']);
    expect(toGoAt(undefined, 0)).toBeNull();
    expect(toGoAt({ seat: 1, points: [[100, 9]] }, 99)).toBeNull();
  });
});

describe('a distance that is told live', () => {
  const known: CurveView[] = [{ seat: 2, points: [[0, 9], [1_000, 8]] }];

  it('goes to the end of its racer’s curve and leaves the others alone', () => {
    expect(withDistance(known, 2, 2_000, 7)).toEqual([{ seat: 2, points: [[0, 9], [1_000, 8], [2_000, 7]] }]);
    expect(withDistance(known, 1, 50, [3, null])).toEqual([{ seat: 1, points: [[50, [3, null]]] }, ...known]);
  });

  it('may come out of order, and the last of an instant counts', () => {
    expect(withDistance(known, 2, 500, 10)).toEqual([{ seat: 2, points: [[0, 9], [500, 10], [1_000, 8]] }]);
    expect(withDistance(known, 2, 1_000, 6)).toEqual([{ seat: 2, points: [[0, 9], [1_000, 6]] }]);
    expect(withDistance(known, 2, 0, 7)).toEqual([{ seat: 2, points: [[0, 7], [1_000, 8]] }]);
  });
});

describe('a mistake', () => {
  it('lost the board or wasted two transfers or more', () => {
    const marks = [mark(1, 0, 0), mark(2, 0, 1), mark(3, 0, 2), mark(4, 0, 'loses')];
    expect(marks.filter(isMistake).map(({ seq }) => seq)).toEqual([3, 4]);
    expect(marks.map(sayCost)).toEqual(['cost 0 transfers', 'cost 1 transfer', 'cost 2 transfers', 'lost the board']);
  });

  it('is jumped to from anywhere, forwards and back, over what is none', () => {
    const marks = [mark(1, 1_000, 2), mark(2, 2_000, 1), mark(3, 3_000, 'loses'), mark(4, 4_000, 4)];
    const at = (ms: number, direction: 1 | -1) => mistakeFrom(marks, ms, direction)?.clock_ms;
    expect([0, 1_000, 3_000, 4_000].map((ms) => at(ms, 1))).toEqual([1_000, 3_000, 4_000, undefined]);
    expect([9_000, 4_000, 3_000, 1_000].map((ms) => at(ms, -1))).toEqual([4_000, 3_000, 1_000, undefined]);
  });
});

describe('the summary', () => {
  it('tells what each wasted or lost, and where the lead changed last', () => {
    const told = review({
      seats: [seat(1, { wasted: 4 }), seat(2, { lost_since_ms: 31_250 }), seat(3, { wasted: 1 }), seat(4, { transfers: 0 })],
      leads: [
        { clock_ms: 0, seat: null },
        { clock_ms: 1_000, seat: 1 },
        { clock_ms: 2_000, seat: null },
        { clock_ms: 3_000, seat: 1 },
        { clock_ms: 9_000, seat: 2 },
        { clock_ms: 12_300, seat: 1 },
      ],
    });
    expect(leadChanges(told)).toEqual([{ clock_ms: 9_000, seat: 2 }, { clock_ms: 12_300, seat: 1 }]);
    expect(summaryOf(told, (number) => `P${number}`)).toEqual([
      'P1 wasted 4 transfers.',
      'P2 lost the board at 0:31.2.',
      'P3 wasted 1 transfer.',
      'P4 made no transfer.',
      'The lead changed hands 2 times, last at 0:12.3 to P1.',
    ]);
  });

  it('claims nothing where bounds leave a transfer open', () => {
    const told = review({ complete: false, seats: [seat(1, { optimal: 4 }), seat(2, { optimal: 4, wasteful: 1, wasted: 2 })] });
    expect(summaryOf(told, (number) => `P${number}`)).toEqual(['P1 wasted nothing that is known.', 'P2 wasted 2 transfers.']);
  });

  it('says nothing of a lead that never changed hands', () => {
    const told = review({ seats: [seat(1, {})], leads: [{ clock_ms: 5, seat: 1 }] });
    expect(summaryOf(told, () => 'Ada')).toEqual(['Ada wasted nothing.']);
  });
});
