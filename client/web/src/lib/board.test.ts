import { expect, it } from 'vitest';
import vectors from '../../../../shared/data/legality.json';
import { notationOf, parseBoard, withTransfer } from './board';

it.each([...new Set(vectors.map(({ board }) => board))])('%s is written as it was read', (text) => {
  expect(notationOf(parseBoard(text))).toBe(text);
});

it('a transfer shows in the notation, and an empty peg has its sign', () => {
  expect(notationOf(withTransfer(parseBoard('R2/R1/S1/- 7 4s@t2'), 3, 1))).toBe('R2S1/R1/-/- 7 4s@t2');
});
