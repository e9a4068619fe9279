// Who plays on this browser: a guest's name and the token that proves it. The token leaves only towards the server.

import { createPlayer, onLostToken, renamePlayer, whoAmI } from './api';
import type { NewPlayerCreated } from './protocol';

const KEY = 'sprint.player';

/** The player of this browser, if there is one; shared by all parts of the page. */
export const identity = $state<{
  player: NewPlayerCreated | null;
  /** The name of who was logged out from elsewhere, or deleted; empty once somebody plays here again. */
  lost: string;
}>({ player: stored(), lost: '' });

onLostToken(lose);

function stored(): NewPlayerCreated | null {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return isPlayer(found) ? found : null;
  } catch {
    return null;
  }
}

function isPlayer(value: unknown): value is NewPlayerCreated {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return ['player_id', 'name', 'token'].every((field) => typeof fields[field] === 'string');
}

function keep(player: NewPlayerCreated | null): void {
  identity.player = player;
  identity.lost = '';
  try {
    if (player === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(player));
  } catch {
    // Without storage the player lasts as long as the page; that is all that can be had.
  }
}

/** Takes this name: a new guest, or another name for the player who is here already. Throws `ApiError`. */
export async function takeName(name: string): Promise<void> {
  const wanted = name.trim();
  if (identity.player === null) {
    keep(await createPlayer(wanted === '' ? null : wanted));
  } else if (wanted !== '' && wanted !== identity.player.name) {
    const renamed = await renamePlayer(identity.player.token, wanted);
    keep({ ...identity.player, name: renamed.name });
  }
}

/** Takes over a player that another device or a password has proven. */
export function adopt(player: NewPlayerCreated): void {
  keep(player);
}

/** The player of this browser has left by their own will: the next name makes a new player. */
export function forget(): void {
  keep(null);
}

/** The server does not take this token, or not any more: who plays is asked again, and nobody is made up for it. */
export function lose(token: string): void {
  const { player } = identity;
  if (player === null || player.token !== token) return;
  const now = stored();
  // Another tab knows better by now.
  if (now !== null && now.token !== token) return keep(now);
  keep(null);
  identity.lost = player.name;
}

/** Asks the server who plays here: a log-out or another name may have come from another device. */
export async function confirm(): Promise<void> {
  const { player } = identity;
  if (player === null) return;
  try {
    const { name } = await whoAmI(player.token);
    if (identity.player?.token === player.token && name !== player.name) keep({ ...player, name });
  } catch {
    // A token that is void has been told of; without an answer the player stays who they were.
  }
}

/** Follows what other tabs of this browser do. Returns what stops it. */
export function followTabs(): () => void {
  const follow = ({ key }: StorageEvent): void => {
    if (key !== KEY && key !== null) return;
    const { player } = identity;
    const now = stored();
    if (now === null && player !== null) {
      keep(null);
      identity.lost = player.name;
    } else if (now !== null && (player === null || player.player_id === now.player_id)) {
      // A tab in which somebody else plays goes on: they may be in a race.
      identity.player = now;
      identity.lost = '';
    }
  };
  addEventListener('storage', follow);
  return () => removeEventListener('storage', follow);
}
