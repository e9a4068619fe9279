// By which token this browser watches: the player's own, or that of a guest who is nobody and lasts as long as the tab.

import { createPlayer } from './api';
import { identity } from './identity.svelte';

const KEY = 'sprint.watcher';

let pending: Promise<string> | null = null;

/** A token to watch by. Throws `ApiError`. */
export function watchToken(): Promise<string> {
  if (identity.player !== null) return Promise.resolve(identity.player.token);
  const kept = stored();
  if (kept !== null) return Promise.resolve(kept);
  // Two parts of the page that ask at once are one guest.
  pending ??= createPlayer(null)
    .then(({ token }) => {
      keep(token);
      return token;
    })
    .finally(() => (pending = null));
  return pending;
}

/** The server does not know the guest any more: the next one is new. */
export function forgetWatcher(): void {
  keep(null);
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, token);
  } catch {
    // Without storage every page is another guest; that is all that can be had.
  }
}
