import { describe, expect, it, vi } from 'vitest';
import vectors from '../../../../shared/data/legality.json';
import { parseBoard, pegNumbers } from './board';
import { type House, movesOf, transfersOf } from './play';
import { Practice } from './practice.svelte';

/** Three transfers to harmony. */
const BOARD = 'R2S1/S2R1/-/- 7';

function played(house: House, ...pegs: number[]): Practice {
  const practice = new Practice(BOARD, house);
  for (const peg of pegs) practice.touch(peg);
  return practice;
}

describe('practice', () => {
  it('comes to harmony by legal transfers, and is over then', () => {
    const practice = played('strict', 1, 3, 2, 1, 3, 2);
    expect(practice.isRestored).toBe(true);
    expect([movesOf(practice.own), practice.own.flawless]).toEqual([3, true]);
    expect(practice.act({ type: 'undo' })).toBeNull();
    practice.again();
    expect([practice.isRestored, movesOf(practice.own)]).toEqual([false, 0]);
  });

  it('says what is wrong with a placement, and what it costs in each house', () => {
    // Sapphire 1 on Ruby 1.
    const strict = played('strict', 1, 2);
    expect(strict.own).toMatchObject({ errors: 1, held: null });
    expect(strict.notice?.text).toMatch(/^Placement error\. /);
    expect(strict.refusedPeg?.peg).toBe(2);
    const relaxed = played('relaxed', 1, 2);
    expect(relaxed.own).toMatchObject({ errors: 0, held: null });
    expect(relaxed.spoken).toBe(relaxed.notice?.text);
    relaxed.touch(1);
    expect(relaxed.notice).toBeNull();
  });

  it('counts a second lift, takes back what was done, and begins an attempt anew', () => {
    const practice = played('strict', 1);
    practice.act({ type: 'lift', peg: 2 });
    expect(movesOf(practice.own)).toBe(5);
    practice.touch(3);
    practice.act({ type: 'undo' });
    expect([transfersOf(practice.own), practice.own.flawless]).toEqual([0, false]);
    practice.touch(1);
    practice.touch(4);
    practice.act({ type: 'reset' });
    expect([transfersOf(practice.own), movesOf(practice.own)]).toEqual([0, 5]);
  });

  it('asks nobody', () => {
    const fetching = vi.fn();
    vi.stubGlobal('fetch', fetching);
    vi.stubGlobal('WebSocket', fetching);
    played('strict', 1, 3, 2, 1, 3, 2);
    expect(fetching).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });
});

describe('practice judges as the server does', () => {
  const atStart = vectors.filter(({ made, harmony, lockout }) => made === 0 && !harmony && !lockout);

  it('on enough boards to say so', () => {
    expect(atStart.length).toBeGreaterThan(20);
  });

  it.each(atStart)('each first transfer on $board', ({ board, verdicts }) => {
    const pegs = pegNumbers(parseBoard(board));
    const judged = pegs.map((from) =>
      pegs.map((to) => {
        const practice = new Practice(board, 'strict');
        practice.touch(from);
        if (practice.own.held === null) return 'no lift';
        practice.touch(to);
        if (practice.own.errors > 0) return 'error';
        return transfersOf(practice.own) === 1 ? 'legal' : 'same_peg';
      }),
    );
    const wanted = verdicts.map((row) =>
      row.map((verdict) => {
        if (verdict === 'source_empty' || verdict === 'source_sealed') return 'no lift';
        return verdict === 'legal' || verdict === 'same_peg' ? verdict : 'error';
      }),
    );
    expect(judged).toEqual(wanted);
  });
});
