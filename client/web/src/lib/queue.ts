// The ways into the queue of quick match, and back into it. What waits there is in `queue.svelte.ts`.

import type { Preset } from './protocol';

/** What race is wanted. */
export interface Wanted {
  seats: number;
  preset: Preset;
}

/** The wanted race in an address's query; `null` where none is named or the address names no such race. */
export function wantedIn(search: string, presets: readonly Preset[]): Wanted | null {
  const query = new URLSearchParams(search);
  const seats = Number(query.get('seats'));
  const preset = presets.find((name) => name === query.get('preset'));
  return preset !== undefined && [2, 3, 4].includes(seats) ? { seats, preset } : null;
}

/** The address that goes straight into the queue. */
export function queuePath({ seats, preset }: Wanted): string {
  return `/quick?seats=${seats}&preset=${preset}`;
}

/** How a race ends for who comes when it is gone already. */
const GONE: ReadonlySet<string> = new Set(['no_opponent', 'no_such_room', 'no_seat', 'closed']);

/**
 * Where a room leads on, unasked, that ended in this way: back into the queue where nobody else came to the race, or where
 * it was gone before the page was let in. `seen` is the race as the page saw it, `back` the way that has just led here.
 */
export function leadsOn(ending: string, seen: Wanted | null, back: string | null): string | null {
  if (seen !== null) return ending === 'no_opponent' ? queuePath(seen) : null;
  return GONE.has(ending) ? back : null;
}
