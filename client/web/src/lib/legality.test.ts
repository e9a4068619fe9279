import { describe, expect, it } from 'vitest';
import vectors from '../../../../shared/data/legality.json';
import { parseBoard, pegNumbers } from './board';
import { check, isHarmony, isLockout, reasonOf, settled, towers } from './legality';

describe('the laws of transfer, as the server judges them', () => {
  it.each(vectors)('$board after $made transfers', ({ board: text, made, verdicts, ...facts }) => {
    const board = parseBoard(text);
    const pegs = pegNumbers(board);
    expect(pegs.map((from) => pegs.map((to) => check(board, from, to, made)))).toEqual(verdicts);
    expect({
      settled: settled(board),
      towers: towers(board),
      harmony: isHarmony(board),
      lockout: isLockout(board, made),
    }).toEqual(facts);
  });

  it('covers boards with every kind of ring', () => {
    const rings = vectors.flatMap((vector) => parseBoard(vector.board).rings);
    expect(rings.some((ring) => ring.collars === undefined && 'moves' in ring.until)).toBe(true);
    expect(rings.some((ring) => ring.collars === undefined && 'towers' in ring.until)).toBe(true);
    expect(rings.some((ring) => ring.collars !== undefined && 'moves' in ring.until)).toBe(true);
    expect(rings.some((ring) => ring.collars !== undefined && 'towers' in ring.until)).toBe(true);
  });
});

describe('reasons', () => {
  it('name the disks and the law', () => {
    const board = parseBoard('R2S1/S2R1/R3/- 7');
    expect(reasonOf(board, 1, 2, 0)).toBe('Sapphire 1 cannot rest on Ruby 1: another spectrum.');
    expect(reasonOf(board, 3, 2, 0)).toBe('Ruby 3 cannot rest on Ruby 1: it is smaller.');
    expect(reasonOf(board, 4, 1, 0)).toBe('Peg 4 is empty.');
    expect(reasonOf(board, 1, 4, 0)).toBe('');
  });
});
