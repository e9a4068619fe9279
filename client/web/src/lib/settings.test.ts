import { expect, it } from 'vitest';
import { settingsOf } from './settings.svelte';

const DEFAULTS = { theme: 'system', motion: 'system', volume: 0.6, isMuted: false, haptics: true, board: 'drawn', locale: null };

it('takes defaults where nothing was kept, or nothing that can be read', () => {
  for (const text of [null, '', 'null', '7', '[]', '{"theme":']) expect(settingsOf(text), String(text)).toEqual(DEFAULTS);
});

it('keeps each choice that can be read, whatever stands beside it', () => {
  const kept = { theme: 'light', motion: 'less', volume: 0, isMuted: true, haptics: false, board: 'text', locale: 'de' };
  expect(settingsOf(JSON.stringify(kept))).toEqual(kept);
  expect(settingsOf('{"theme":"pink","volume":1.5,"isMuted":"yes","haptics":false,"board":7,"locale":"xx"}')).toEqual({ ...DEFAULTS, haptics: false });
});
