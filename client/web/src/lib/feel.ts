// What the hands and ears are told: a tremble at once, a sound as soon as sounds are there. Sounds are loaded after the
// first gesture, never with the page; nothing here ever throws, or keeps an act waiting.

import { settings } from './settings.svelte';

/** What is felt. */
export type Feeling =
  | 'lift'
  | 'place'
  | 'tower'
  | 'refused'
  | 'tick'
  | 'go'
  | 'other'
  | 'last'
  | 'harmony';

/** How a phone trembles, in milliseconds: on and off in turn. */
const TREMBLES: Partial<Readonly<Record<Feeling, number[]>>> = {
  lift: [8],
  place: [14],
  tower: [14, 40, 22],
  refused: [35, 30, 35],
  harmony: [30, 60, 30, 60, 90],
};

type Sounds = typeof import('./sound');

let sounds: Sounds | null = null;
let isLoading = false;

/** Lets something be felt. `size` is that of the disk it is about: a large one sounds deeper. */
export function feel(what: Feeling, size = 4): void {
  // Before a first gesture browsers want neither, and say so aloud.
  if (typeof navigator === 'undefined' || navigator.userActivation?.hasBeenActive === false) return;
  const tremble = TREMBLES[what];
  if (settings.haptics && tremble !== undefined) navigator.vibrate?.(tremble);
  if (settings.isMuted || settings.volume === 0) return;
  if (sounds === null) load();
  else sounds.sound(what, size, settings.volume);
}

/** Loads the sounds once somebody has touched the page, so that the first one is not late. To be called in an effect. */
export function warm(): () => void {
  const events = ['pointerdown', 'keydown'] as const;
  const stop = (): void => events.forEach((event) => removeEventListener(event, begin, true));
  const begin = (): void => {
    stop();
    // The act that is answered now comes first.
    if (!settings.isMuted && settings.volume > 0) setTimeout(load, 200);
  };
  if (sounds === null) events.forEach((event) => addEventListener(event, begin, true));
  return stop;
}

function load(): void {
  if (isLoading) return;
  isLoading = true;
  import('./sound').then(
    (loaded) => (sounds = loaded),
    // Without them the game is whole; the next gesture tries again.
    () => (isLoading = false),
  );
}
