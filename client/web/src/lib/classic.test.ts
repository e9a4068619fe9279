import { describe, expect, it } from 'vitest';
import vectors from '../../../../shared/data/classic.json';
import {
  type Move,
  PEGS,
  type Peg,
  type Position,
  type Tower,
  after,
  check,
  disksOn,
  hintAt,
  isTowerOn,
  moveAt,
  movesLeft,
  movesOf,
  shareOf,
  withMove,
} from './classic';
import { METHODS, reasonOf, sayPeg, sayRefusal, sayRound, sayTime } from './legend';

const text = (move: Move | null): string | null => (move === null ? null : `${move.disk} ${move.from}-${move.to}`);
const positionOf = (digits: string): Position => [...digits].map((digit) => Number(digit) as Peg);

describe('the classic tower, as shared reckons it', () => {
  it.each(vectors.towers)('$disks disks from $source to $target', ({ steps, ...told }) => {
    const tower = { disks: told.disks, source: told.source, target: told.target } as Tower;
    expect(String(movesOf(tower))).toBe(told.moves);
    const shares = Array.from({ length: tower.disks }, (_, index) => [String(shareOf(tower, index + 1)), sayRound(tower, index + 1)]);
    expect(shares).toEqual(told.of_disks);
    for (const step of steps) {
      const number = BigInt(step.number);
      const [move, before] = [moveAt(tower, number), after(tower, number - 1n)];
      expect(text(move), step.number).toBe(step.move);
      expect(after(tower, number).join(''), step.number).toBe(step.after);
      expect(METHODS.map((method) => reasonOf(method, tower, number)), step.number).toEqual(step.reasons);
      // The position before says the same: its best move is this one, and it is allowed.
      expect(hintAt(before, tower.target), step.number).toEqual(move);
      expect(movesLeft(before, tower.target), step.number).toBe(movesOf(tower) - number + 1n);
      expect(move !== null && withMove(before, move), step.number).toEqual(after(tower, number));
    }
    expect([moveAt(tower, 0n), moveAt(tower, movesOf(tower) + 1n)]).toEqual([null, null]);
    expect(METHODS.map((method) => reasonOf(method, tower, 0n))).toEqual(['', '', '', '']);
    expect(isTowerOn(after(tower, 0n), tower.source) && isTowerOn(after(tower, movesOf(tower)), tower.target)).toBe(true);
  });

  it.each(vectors.positions)('by hand from $pegs', ({ pegs, verdicts, ways }) => {
    const position = positionOf(pegs);
    const verdict = (from: Peg, to: Peg): string => {
      const told = check(position, from, to);
      // `shared` says it as a clause, the page as a sentence.
      return 'why' in told ? sayRefusal(told).replace(/^./, (first) => first.toLowerCase()).replace(/\.$/, '') : String(told.disk);
    };
    expect(PEGS.map((from) => PEGS.map((to) => verdict(from, to)))).toEqual(verdicts);
    expect(PEGS.map((peg) => [String(movesLeft(position, peg)), text(hintAt(position, peg))])).toEqual(ways);
  });

  it('has towers of no disk and of 64 among its vectors', () => {
    expect(new Set(vectors.towers.map(({ disks }) => disks))).toEqual(new Set([0, 1, 2, 3, 63, 64]));
    expect(vectors.positions.length).toBe(27);
  });
});

describe('the words of the classic tower', () => {
  it('tell how long it takes for every number of disks', () => {
    expect(vectors.spans.map((_, disks) => sayTime((1n << BigInt(disks)) - 1n))).toEqual(vectors.spans);
    expect(vectors.spans.at(-1)).toBe('585 billion years, 42 ages of the universe');
  });

  it('tell what is on a peg from the top down', () => {
    const position: Position = [1, 1, 2, 1, 3, 1, 1];
    expect(disksOn(position, 1)).toEqual([1, 2, 4, 6, 7]);
    expect(sayPeg(position, 1, null)).toBe('Peg 1: disks 1 to 2, 4, 6 to 7');
    expect(sayPeg(position, 1, 1)).toBe('Peg 1: disks 2, 4, 6 to 7; disk 1 in the hand');
    expect(sayPeg(position, 3, null)).toBe('Peg 3: disk 5');
    expect(sayPeg(position, 3, 3)).toBe('Peg 3: empty; disk 5 in the hand');
  });
});
