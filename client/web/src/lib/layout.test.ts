import { describe, expect, it } from 'vitest';
import { parseBoard, pegNumbers } from './board';
import { diskWidth, diskY, floorY, layoutOf, liftedY, pegAt, pegBeside, pegX, rowY } from './layout';

const SMALL = parseBoard('R4R3/S4S3/R2R1S2S1/-/- 7');
const LARGE = parseBoard('R7R6R5R4R3R2R1/S7S6S5S4S3S2S1/E7/-/-/-/-/-/- 7');

describe.each([
  ['a small board on a desktop', SMALL, 880, 600],
  ['a small board on a phone', SMALL, 366, 420],
  ['nine pegs on a desktop', LARGE, 880, 600],
  ['nine pegs on a phone', LARGE, 366, 420],
])('%s', (_, board, width, height) => {
  const layout = layoutOf(board, width, height);

  it('keeps every disk on the table, lifted ones too', () => {
    for (const peg of pegNumbers(board)) {
      expect(diskY(layout, peg, 6)).toBeGreaterThanOrEqual(rowY(layout, peg));
      expect(liftedY(layout, peg, 7)).toBeGreaterThanOrEqual(rowY(layout, peg));
      expect(floorY(layout, peg)).toBeLessThan(height);
      expect(pegX(layout, peg) - diskWidth(layout, layout.sizeMax) / 2).toBeGreaterThanOrEqual(0);
      expect(pegX(layout, peg) + diskWidth(layout, layout.sizeMax) / 2).toBeLessThanOrEqual(width);
    }
  });

  it('gives larger sizes wider disks', () => {
    for (let size = 2; size <= layout.sizeMax; size++) {
      expect(diskWidth(layout, size)).toBeGreaterThan(diskWidth(layout, size - 1));
    }
  });

  it('finds the peg under a finger, over its whole column', () => {
    for (const peg of pegNumbers(board)) {
      expect(pegAt(layout, pegX(layout, peg), floorY(layout, peg) - 1, board.pegs.length)).toBe(peg);
      expect(pegAt(layout, pegX(layout, peg), rowY(layout, peg) + 1, board.pegs.length)).toBe(peg);
      expect(layout.columnWidth).toBeGreaterThanOrEqual(44);
    }
    expect(pegAt(layout, -1, 5, board.pegs.length)).toBeNull();
    expect(pegAt(layout, 5, height + 1, board.pegs.length)).toBeNull();
  });
});

it('keys lead from peg to peg, over both rows, and never off the table', () => {
  const over = (peg: number, ...keys: string[]): (number | null)[] => keys.map((key) => pegBeside(peg, key, 5, 9));
  expect(over(1, 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown')).toEqual([null, 2, null, 6]);
  expect(over(5, 'ArrowRight', 'ArrowDown', 'Home', 'End')).toEqual([6, null, 1, 9]);
  expect(over(9, 'ArrowRight', 'ArrowUp', 'Enter')).toEqual([null, 4, null]);
});
