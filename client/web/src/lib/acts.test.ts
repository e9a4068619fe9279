import { describe, expect, it } from 'vitest';
import { Acts, PENDING_MAX } from './acts';
import { parseBoard } from './board';
import { type Play, movesOf, newPlay } from './play';

const START = parseBoard('R3R1/R2S1/S2/-/- 7');

function acts(placement: 'strict' | 'guarded' = 'strict', n = 0): Acts {
  return new Acts(newPlay(START), n, placement);
}

describe('an act under way', () => {
  it('shows at once and carries its number and the ply that it believes in', () => {
    const queue = acts('strict', 7);
    queue.submit({ type: 'lift', peg: 1 });
    queue.submit({ type: 'place', peg: 4 });
    expect(queue.shown().board.pegs).toEqual([['R3'], ['R2', 'S1'], ['S2'], ['R1'], []]);
    expect(queue.confirmed.board).toBe(START);
    expect(queue.unsent()).toEqual([
      { type: 'lift', n: 8, ply: 0, peg: 1 },
      { type: 'place', n: 9, ply: 1, peg: 4 },
    ]);
    expect(queue.unsent()).toEqual([]);
  });

  it('is counted once when the server confirms it', () => {
    const queue = acts();
    queue.submit({ type: 'lift', peg: 1 });
    queue.submit({ type: 'place', peg: 4 });
    queue.confirm(1, { type: 'lifted', peg: 1 });
    expect([queue.underWay, queue.confirmed.held, queue.shown().held]).toEqual([1, 1, null]);
    queue.confirm(2, { type: 'transferred', from: 1, to: 4 });
    expect([queue.underWay, movesOf(queue.shown()), queue.shown().ply]).toEqual([0, 1, 2]);
  });

  it('is put right when the server refuses it', () => {
    const queue = acts();
    queue.submit({ type: 'lift', peg: 1 });
    queue.submit({ type: 'place', peg: 4 });
    expect(queue.refuse(1, 'stale')).toBe(false);
    expect(queue.refuse(2, 'stale')).toBe(false);
    expect(queue.shown()).toEqual(newPlay(START));
    queue.submit({ type: 'lift', peg: 3 });
    expect(queue.unsent()).toEqual([{ type: 'lift', n: 3, ply: 0, peg: 3 }]);
  });

  it.each(['rate_limited', 'unavailable', 'busy'])('is sent again with the same number after %s', (code) => {
    const queue = acts();
    queue.submit({ type: 'lift', peg: 1 });
    queue.submit({ type: 'place', peg: 4 });
    queue.unsent();
    expect(queue.refuse(1, code)).toBe(true);
    expect(queue.refuse(2, 'out_of_order', 1)).toBe(true);
    expect(queue.unsent(1).map((message) => 'n' in message && message.n)).toEqual([1]);
    expect(queue.isBehind).toBe(true);
    expect(queue.unsent(1).map((message) => 'n' in message && message.n)).toEqual([2]);
    expect(queue.isBehind).toBe(false);
  });

  it('is refused here once too many wait', () => {
    const queue = acts();
    for (let i = 0; i < PENDING_MAX / 2; i++) {
      queue.submit({ type: 'lift', peg: 1 + 3 * (i % 2) });
      queue.submit({ type: 'place', peg: 4 - 3 * (i % 2) });
    }
    expect(queue.submit({ type: 'lift', peg: 1 })).toMatchObject({ kind: 'refused', code: 'waiting' });
  });
});

describe('what the rules refuse', () => {
  it('costs nothing and is not sent where it has no effect', () => {
    const queue = acts();
    expect(queue.submit({ type: 'lift', peg: 4 })).toMatchObject({ kind: 'refused', code: 'empty_peg' });
    expect(queue.submit({ type: 'place', peg: 1 })).toMatchObject({ kind: 'refused', code: 'hand_empty' });
    expect(queue.submit({ type: 'undo' })).toMatchObject({ kind: 'refused', code: 'nothing_to_undo' });
    queue.submit({ type: 'lift', peg: 1 });
    expect(queue.submit({ type: 'place', peg: 1 })).toMatchObject({ kind: 'refused', code: 'touch_and_move' });
    expect(queue.submit({ type: 'undo' })).toMatchObject({ kind: 'refused', code: 'holding' });
    expect(queue.unsent()).toHaveLength(1);
  });

  it('is a placement error in a strict room and free in a guarded one', () => {
    for (const [placement, errors] of [['strict', 1], ['guarded', 0]] as const) {
      const queue = acts(placement);
      queue.submit({ type: 'lift', peg: 1 });
      queue.submit({ type: 'place', peg: 3 });
      expect(queue.shown()).toMatchObject({ held: null, errors, ply: 1, board: START });
    }
  });

  it('costs nothing at all in a relaxed house, where undo leads out of a lockout too', () => {
    const queue = new Acts(newPlay(START), 0, 'relaxed');
    queue.submit({ type: 'lift', peg: 1 });
    expect(queue.submit({ type: 'lift', peg: 2 })).toMatchObject({ kind: 'refused', code: 'hand_full' });
    expect(queue.submit({ type: 'place', peg: 3 })).toMatchObject({ kind: 'deed', deed: { type: 'returned' } });
    expect(queue.shown()).toMatchObject({ held: null, errors: 0, penalties: 0 });
    const [strict, relaxed] = (['strict', 'relaxed'] as const).map((house) => {
      const queue = new Acts(newPlay(parseBoard('R3S1R1/R2/E1 3')), 0, house);
      queue.submit({ type: 'lift', peg: 1 });
      queue.submit({ type: 'place', peg: 2 });
      return queue.submit({ type: 'undo' });
    });
    expect(strict).toMatchObject({ kind: 'refused', code: 'lockout' });
    expect(relaxed).toEqual({ kind: 'deed', deed: { type: 'undone', from: 1, to: 2 } });
  });

  it('does not void the acts behind a placement error: they believe in the same ply as the server', () => {
    const queue = acts();
    queue.submit({ type: 'lift', peg: 1 });
    queue.submit({ type: 'place', peg: 3 });
    queue.submit({ type: 'lift', peg: 2 });
    expect(queue.unsent().at(-1)).toEqual({ type: 'lift', n: 3, ply: 1, peg: 2 });
  });

  it('lets a disk without a legal target be put back', () => {
    const queue = new Acts(newPlay(parseBoard('R3/R2S1/R1 2,2,1')), 0, 'strict');
    queue.submit({ type: 'lift', peg: 1 });
    expect(queue.submit({ type: 'place', peg: 1 })).toEqual({ kind: 'deed', deed: { type: 'put_back', peg: 1 } });
  });
});

describe('undo', () => {
  it('takes back the last transfer and its count', () => {
    const queue = acts();
    queue.submit({ type: 'lift', peg: 1 });
    queue.submit({ type: 'place', peg: 4 });
    queue.submit({ type: 'undo' });
    expect(queue.shown()).toMatchObject({ board: { pegs: START.pegs }, flawless: false, ply: 3 });
    expect(movesOf(queue.shown())).toBe(0);
  });

  it('of a transfer from before a reload waits for the server', () => {
    const queue = new Acts({ ...newPlay(START), before: 3 }, 6, 'strict');
    expect(queue.submit({ type: 'undo' })).toEqual({ kind: 'unknown' });
    expect(queue.submit({ type: 'lift', peg: 1 })).toMatchObject({ kind: 'refused', code: 'waiting' });
    queue.confirm(7, { type: 'undone', from: 1, to: 3 });
    expect(queue.shown().board.pegs[0]).toEqual(['R3', 'R1', 'S2']);
    expect(movesOf(queue.shown())).toBe(2);
  });
});

describe('a new connection', () => {
  it('sends again what the server has not judged, and forgets the rest', () => {
    const queue = acts();
    queue.submit({ type: 'lift', peg: 1 });
    queue.submit({ type: 'place', peg: 4 });
    queue.unsent();
    queue.rebase({ ...newPlay(START), held: 1, ply: 1 }, 1);
    expect(queue.unsent()).toEqual([{ type: 'place', n: 2, ply: 1, peg: 4 }]);
    queue.rebase(newPlay(START), 9);
    expect([queue.underWay, queue.judged]).toEqual([0, 9]);
  });
});

describe('acts that were judged while the line was lost', () => {
  const lift = { type: 'lift', peg: 1 } as const;
  const place = { type: 'place', peg: 4 } as const;

  /** The play after a whole transfer, as the server shows it: without its line. */
  function moved(): Play {
    const queue = acts();
    queue.submit(lift);
    queue.submit(place);
    return { ...queue.shown(), line: [], before: 1 };
  }

  it('are told once the server shows what they came to', () => {
    const queue = acts('strict', 7);
    queue.submit(lift);
    queue.submit(place);
    queue.submit({ type: 'undo' });
    const done = queue.rebase(moved(), 9);
    expect(done.map(({ deed }) => deed)).toEqual([{ type: 'lifted', peg: 1 }, { type: 'transferred', from: 1, to: 4 }]);
    expect(done[1]?.after.board.pegs).toEqual([['R3'], ['R2', 'S1'], ['S2'], ['R1'], []]);
    // The third one it has not seen: it is sent again, and told when it is confirmed.
    expect(queue.unsent().map(({ type }) => type)).toEqual(['undo']);
    expect(queue.rebase(moved(), 9)).toEqual([]);
  });

  it('are told, too, where a placement was refused: the hand is empty and nothing else has changed', () => {
    const queue = new Acts(newPlay(START), 0, 'relaxed');
    queue.submit(lift);
    queue.submit({ type: 'place', peg: 2 });
    const after = { ...newPlay(START), ply: 1 };
    expect(queue.rebase(after, 2).map(({ deed }) => deed.type)).toEqual(['lifted', 'returned']);
  });

  it('are not made up where the server shows another place', () => {
    const queue = acts();
    queue.submit(lift);
    queue.submit({ type: 'place', peg: 5 });
    expect(queue.rebase(moved(), 2)).toEqual([]);
  });
});
