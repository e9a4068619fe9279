import { afterAll, expect, it } from 'vitest';
import { speak } from './locale.svelte';
import { isolate, ordinal, sayProblem, summaryOf, tongueOf, typedName } from './words';
import type { RoomOptions } from './protocol';

afterAll(() => speak('en'));

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

const OPTIONS = { preset: 'master', blueprint: null, seats: 3, rounds: 3, contest: 'fewest', placement: 'guarded', opponents: 'progress', rated: false } as RoomOptions;

it('a room reads in one line, in either language', async () => {
  await speak('en');
  expect(summaryOf(OPTIONS)).toBe('Master · 3 seats · best of 3 · fewest moves · guarded · opponents as progress');
  await speak('de');
  expect(summaryOf(OPTIONS)).toBe('Master · 3 Plätze · bester von 3 · wenigste Züge · geführt · Gegner nur als Fortschritt');
  expect([1, 2, 13].map(ordinal)).toEqual(['1.', '2.', '13.']);
});

it('a problem is told as the server tells it in English, and in other languages by its code', async () => {
  await speak('en');
  expect(sayProblem('busy', 'too many ways are being searched for')).toBe('Too many ways are being searched for');
  expect(sayProblem('network', '')).toBe('The server does not answer. Check the connection and try again.');
  expect([tongueOf('busy'), tongueOf('odd')]).toEqual([undefined, undefined]);
  await speak('de');
  expect(sayProblem('busy', 'too many ways are being searched for')).toMatch(/^Der Server ist beschäftigt/);
  // One for which there are no words is English still, and says so.
  expect(sayProblem('odd', 'something odd')).toBe('Something odd');
  expect([tongueOf('busy'), tongueOf('odd'), tongueOf('toString')]).toEqual([undefined, 'en', 'en']);
});
