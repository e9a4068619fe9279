// What boards of this device are called, in the language that is spoken.

import { sayDay } from './daily';
import type { KeptBoard } from './kept';
import { words } from './locale.svelte';
import { titleOf } from './session';
import { shortSeed } from './shuffle';
import { presetName } from './words';

/** What a board is called: a number or nothing, its name, and what it teaches. */
export interface KeptNames {
  mark: string;
  name: string;
  idea: string;
}

/** The names of a board. */
export function namesOf({ solo, preset, name, idea }: KeptBoard): KeptNames {
  const t = words('almanac');
  switch (solo.mode) {
    case 'stage': {
      const said = t.stage(solo.stage, { name, idea });
      return { mark: String(solo.stage), name: said.name || titleOf(solo), idea: said.idea };
    }
    case 'lesson': {
      const said = t.lessonName(solo.lesson, { name, idea });
      return { mark: String(solo.lesson), name: said.name || titleOf(solo), idea: said.idea };
    }
    case 'daily':
      return { mark: '', name: sayDay(solo.day), idea: preset === null ? '' : presetName(preset) };
    case 'shuffle':
      return { mark: '', name: preset === null ? titleOf(solo) : presetName(preset), idea: shortSeed(solo.seed) };
  }
}
