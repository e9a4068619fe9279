import { expect, it } from 'vitest';
import { rowsOf } from './qr';

/** The mark that stands in three corners of every QR code. */
const FINDER = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];

it('a link becomes a square of modules with its marks in three corners and timing lines between them', () => {
  const rows = rowsOf('https://spire.example/r/7KQM017KQM01');
  const size = rows.length;
  // 36 bytes at level M need version 3: 17 + 4 × 3 modules.
  expect(size).toBe(29);
  expect(rows.every((row) => /^[01]+$/.test(row) && row.length === size)).toBe(true);
  expect(rows.slice(0, 7).map((row) => row.slice(0, 7))).toEqual(FINDER);
  expect(rows.slice(0, 7).map((row) => row.slice(-7))).toEqual(FINDER);
  expect(rows.slice(-7).map((row) => row.slice(0, 7))).toEqual(FINDER);
  expect(rows[6]?.slice(8, size - 8)).toMatch(/^1?(01)*0?$/);
});
