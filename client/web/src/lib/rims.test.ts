import { expect, it } from 'vitest';
import { SPECTRA } from './board';
import { emblemOutline, plateOutline } from './rims';

it('no two spectra share an outline, from the side or from above', () => {
  expect(new Set(SPECTRA.map((spectrum) => plateOutline(spectrum, 90, 30))).size).toBe(5);
  expect(new Set(SPECTRA.map((spectrum) => emblemOutline(spectrum, 12))).size).toBe(5);
});
