import { describe, expect, it } from 'vitest';
import { parseBoard } from './board';
import { type Play, applied, newPlay } from './play';
import type { Solo, Way } from './protocol';
import { isHelped } from './solo';
import { actOf, hintOf, isFresh, sayHint, stepsOf } from './way';

const START: Play = newPlay(parseBoard('R2S1/S2R1/-/- 7'));
const WAY: Way = { ply: 0, transfers: ['1-3', '2-1', '3-2'] };

/** The play with the disk of a peg in the hand. */
const lifted = (play: Play, peg: number): Play => applied(play, { type: 'lifted', peg });
/** The play after a transfer. */
const moved = (play: Play, from: number, to: number): Play => applied(lifted(play, from), { type: 'transferred', from, to });

describe('a way', () => {
  it('is read as transfers, and a lost board has none', () => {
    expect(stepsOf(WAY)).toEqual([[1, 3], [2, 1], [3, 2]]);
    expect(stepsOf({ ply: 4, transfers: [] })).toEqual([]);
    expect(stepsOf({ ply: 4, transfers: null })).toBeNull();
  });

  it('is stale once another act was accepted, also one that leads back to the same board', () => {
    expect(isFresh(WAY, START)).toBe(true);
    expect(isFresh(WAY, lifted(START, 1))).toBe(false);
    const back = applied(moved(START, 1, 3), { type: 'undone', from: 1, to: 3 });
    expect(back.board).toEqual(START.board);
    expect(isFresh(WAY, back)).toBe(false);
    // What is returned or refused is not accepted, and changes nothing.
    const returned = applied({ ...lifted(START, 1), ply: 0 }, { type: 'returned', from: 1, to: 2 });
    expect(isFresh(WAY, returned)).toBe(true);
  });

  it('is pointed at until its first transfer is made or another disk is lifted', () => {
    expect(hintOf(WAY, START)).toEqual([1, 3]);
    expect(hintOf(WAY, lifted(START, 1))).toEqual([1, 3]);
    expect(hintOf(WAY, lifted(START, 2))).toBeNull();
    expect(hintOf(WAY, moved(START, 1, 3))).toBeNull();
    expect(hintOf({ ply: 0, transfers: null }, START)).toBeNull();
    expect(hintOf({ ply: 0, transfers: [] }, START)).toBeNull();
    // Asked with the disk in the hand already.
    expect(hintOf({ ...WAY, ply: 1 }, lifted(START, 1))).toEqual([1, 3]);
  });

  it('is played as a lift and a placement, and never with another disk in the hand', () => {
    expect(actOf([1, 3], START)).toEqual({ type: 'lift', peg: 1 });
    expect(actOf([1, 3], lifted(START, 1))).toEqual({ type: 'place', peg: 3 });
    expect(actOf([1, 3], lifted(START, 2))).toBeNull();
  });

  it('is told with its disk, its pegs, and how far it is', () => {
    expect(sayHint(START.board, stepsOf(WAY) ?? [])).toBe('Hint: Sapphire 1 from peg 1 to peg 3. 3 transfers to harmony.');
    expect(sayHint(START.board, [[2, 4]])).toBe('Hint: Ruby 1 from peg 2 to peg 4. One transfer to harmony.');
    expect(sayHint(START.board, [])).toBe('');
  });

  it('is shown only where no result counts', () => {
    const daily = { mode: 'daily', day: '2026-11-30', commitment: '' } as const;
    const helped: Solo[] = [{ mode: 'shuffle', seed: '' }, { mode: 'lesson', lesson: 1 }, { ...daily, practice: true }];
    expect(helped.map(isHelped)).toEqual([true, true, true]);
    expect([{ mode: 'stage', stage: 1 } as const, { ...daily, practice: false }].map(isHelped)).toEqual([false, false]);
  });
});
