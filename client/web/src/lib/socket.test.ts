import { expect, it } from 'vitest';
import { retryDelayMs } from './socket';

it('waits longer after every lost connection, up to a limit, with a random half', () => {
  expect([0, 1, 2, 9, 99].map((attempt) => retryDelayMs(attempt, 1))).toEqual([250, 500, 1000, 8000, 8000]);
  expect(retryDelayMs(3, 0)).toBe(1000);
});
