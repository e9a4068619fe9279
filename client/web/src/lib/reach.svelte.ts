// Whether the server can be reached, as far as this page has noticed. Nothing is asked of it for this alone.

import { onReach } from './api';

/** Where the browser keeps boards that can be played without a server: see `kept.ts`, which not every page needs. */
export const KEPT_KEY = 'sprint.boards';

/** Whether there are such boards. */
export function hasKept(): boolean {
  try {
    return localStorage.getItem(KEPT_KEY) !== null;
  } catch {
    return false;
  }
}

/** Shared by all parts of the page. */
export const reach = $state({
  /** The device has no network, or the last call found no server. */
  isLost: typeof navigator !== 'undefined' && navigator.onLine === false,
});

onReach((isThere) => (reach.isLost = !isThere));

/** Follows what the device says of its network. Returns what stops it. */
export function followNetwork(): () => void {
  const follow = ({ type }: Event): void => void (reach.isLost = type === 'offline');
  addEventListener('online', follow);
  addEventListener('offline', follow);
  return () => {
    removeEventListener('online', follow);
    removeEventListener('offline', follow);
  };
}
