import { expect, it } from 'vitest';
import { isolate, ordinal, typedName } from './words';

it('places read as people say them', () => {
  const ranks = [1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 23, 101, 111, 1_012, 1_222];
  expect(ranks.map(ordinal)).toEqual(
    ['1st', '2nd', '3rd', '4th', '10th', '11th', '12th', '13th', '21st', '22nd', '23rd', '101st', '111th', '1012th', '1222nd'],
  );
});

it('a name that is written from right to left is set apart from what stands beside it, and no other', () => {
  for (const name of ['\u05d0\u05d3\u05d4', 'Ada \u0639', '\u{1e900}']) expect(isolate(name)).toBe(`\u2068${name}\u2069`);
  for (const name of ['Ada', 'Ælfgifu', '河内', 'Эйда', '']) expect(isolate(name)).toBe(name);
});

it('a name that was copied from the page is the name', () => {
  for (const name of ['\u05d0\u05d3\u05d4', 'Ada \u0639', 'Ada', '']) expect(typedName(` ${isolate(name)} `)).toBe(name);
});
