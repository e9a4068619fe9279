// What players show each other: a fixed set in words, and whether this browser shows the others' at all.

import { words } from './locale.svelte';
import type { Emote } from './protocol';

/** All of them, in the order in which they are offered. */
export const EMOTES: readonly Emote[] = ['hello', 'good_luck', 'well_played', 'wow', 'oops', 'thinking', 'hurry', 'thanks'];

/** An emote in words. */
export function emoteWords(emote: Emote): string {
  return words('room').emotes.words[emote];
}

/** An emote that is on the screen. */
export interface Shown {
  seat: number;
  emote: Emote;
  /** Grows, so that the same twice is two. */
  id: number;
}

/** How long an emote stands. */
export const SHOWN_MS = 4_000;

const KEY = 'sprint.muted';

/** Whether the others' emotes are left out; the choice lasts over rooms and visits. */
export const muting = $state({ isMuted: stored() });

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes';
  } catch {
    return false;
  }
}

/** Mutes the others, or lets them be seen again. */
export function setMuted(isMuted: boolean): void {
  muting.isMuted = isMuted;
  try {
    if (isMuted) localStorage.setItem(KEY, 'yes');
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
