// What is played alone, as far as every page that meets it has to know: its title, where it belongs, what it allows.

import { words } from './locale.svelte';
import type { Solo } from './protocol';

/** What is played, as a title: `Stage 12`, `Lesson 3`, `Infinite Shuffle`, `Daily Spire 2026-11-30`. */
export function titleOf(solo: Solo): string {
  const t = words('core').solo;
  switch (solo.mode) {
    case 'stage':
      return t.stage(solo.stage);
    case 'lesson':
      return t.lesson(solo.lesson);
    case 'shuffle':
      return t.shuffle;
    case 'daily':
      return solo.practice ? t.dailyPractice(solo.day) : t.daily(solo.day);
  }
}

/** The page of this page that a session belongs to: where it was begun and where it leads back to. */
export function pathOf(solo: Solo): string {
  switch (solo.mode) {
    case 'stage':
      return `/campaign/${solo.stage}`;
    case 'lesson':
      return `/tutorial/${solo.lesson}`;
    case 'shuffle':
      return '/shuffle';
    case 'daily':
      return '/daily';
  }
}

/** Whether hints may be asked for: never where a result counts. */
export function isHelped(solo: Solo): boolean {
  return solo.mode === 'lesson' || solo.mode === 'shuffle' || (solo.mode === 'daily' && solo.practice);
}

/** Whether it is played once, and giving up takes the one try. */
export function isOnce(solo: Solo | null): boolean {
  return solo?.mode === 'daily' && !solo.practice;
}
