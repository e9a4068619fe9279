import { expect, it } from 'vitest';
import { ordinal } from './words';

it('places read as people say them', () => {
  const ranks = [1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 23, 101, 111, 1_012, 1_222];
  expect(ranks.map(ordinal)).toEqual(
    ['1st', '2nd', '3rd', '4th', '10th', '11th', '12th', '13th', '21st', '22nd', '23rd', '101st', '111th', '1012th', '1222nd'],
  );
});
