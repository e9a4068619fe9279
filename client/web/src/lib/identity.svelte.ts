// Who plays on this browser: a guest's name and the token that proves it. The token leaves only towards the server.

import { createPlayer, renamePlayer } from './api';
import type { NewPlayerCreated } from './protocol';

const KEY = 'sprint.player';

/** The player of this browser, if there is one; shared by all parts of the page. */
export const identity = $state<{ player: NewPlayerCreated | null }>({ player: stored() });

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

/** The token is not known to this server: the next name makes a new player. */
export function forget(): void {
  keep(null);
}
