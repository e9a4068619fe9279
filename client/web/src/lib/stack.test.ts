import { describe, expect, it } from 'vitest';
import { isNumbered, middleOf, pegUnder, plateWidth, plateY, stackOf } from './stack';

const TABLES = [[760, 430], [340, 300], [320, 240]] as const;

describe('a classic tower on the table', () => {
  it.each(TABLES)('stands on %i × %i with room for a lifted disk, each disk wider than the one above', (width, height) => {
    for (let disks = 1; disks <= 64; disks += 1) {
      const stack = stackOf(disks, width, height);
      const top = plateY(stack, disks - 1, false);
      expect(plateY(stack, 0, true), `${disks} disks`).toBeGreaterThanOrEqual(0);
      expect(plateY(stack, 0, true) + stack.diskHeight, `${disks} disks`).toBeLessThanOrEqual(top);
      for (let disk = 2; disk <= disks; disk += 1) {
        expect(plateWidth(stack, disk), `${disk} of ${disks}`).toBeGreaterThan(plateWidth(stack, disk - 1));
      }
      expect(plateWidth(stack, disks)).toBeLessThan(stack.columnWidth);
      if (disks > 1) expect(plateWidth(stack, disks), `the largest of ${disks}`).toBeGreaterThan(stack.columnWidth * 0.9);
    }
  });

  it('bears numbers as far as they can be read: 16 disks on a phone, not 64', () => {
    expect(isNumbered(stackOf(16, 340, 300))).toBe(true);
    expect(isNumbered(stackOf(64, 760, 430))).toBe(false);
  });

  it('has its pegs in thirds', () => {
    const stack = stackOf(5, 300, 200);
    expect([1, 2, 3].map((peg) => pegUnder(stack, middleOf(stack, peg as 1 | 2 | 3)))).toEqual([1, 2, 3]);
    expect([-1, 0, 99, 100, 299, 300].map((x) => pegUnder(stack, x))).toEqual([null, 1, 1, 2, 3, null]);
  });
});
