import { expect, it } from 'vitest';
import { instantOf, instantPath } from './instant';

it.each([0, 1, 12_300, 61_042])('a link to %d ms leads to that instant', (ms) => {
  const path = instantPath('ID', ms);
  expect(instantOf(path.slice(path.indexOf('?')))).toBe(ms);
});

it('an instant is seconds from T0 and stands in the address as people would write it', () => {
  expect(instantPath('ID', 12_300)).toBe('/m/ID?t=12.3');
  expect(instantPath('ID', 0)).toBe('/m/ID');
  expect(instantPath('ID', 1_000.4)).toBe('/m/ID?t=1');
});

it.each(['', '?t=', '?t=soon', '?t=-4', '?t=Infinity', '?x=3'])('an address without an instant, %j, is T0', (search) => {
  expect(instantOf(search)).toBe(0);
});
