// A visit to a room by its address: finds the room, connects, and connects anew where another token or role comes in.

import { ApiError, findRoom } from './api';
import type { Role, Solo } from './protocol';
import { Room } from './room.svelte';

/** What a visit goes by; each is asked again when it changes. */
export interface Wanted {
  code: () => string;
  /** `null` while nobody is known who could come in. */
  token: () => string | null;
  role: () => Role;
  /** Told that the address names no room; true where that led elsewhere. */
  leadsOn: () => boolean;
}

/** What a page has of a room. Works inside a component alone, and stops with it. */
export class Visit {
  room = $state.raw<Room | null>(null);
  /** Why there is no room to ask. */
  failure = $state.raw<unknown>(null);
  /** The address names no room: it may have been one. */
  isMissing = $state(false);
  /** What is played here alone, as far as that is known: also of a session that lets nobody else in. */
  known = $state.raw<Solo | null>(null);

  constructor(wanted: Wanted) {
    // A wrong code is answered here: a refused WebSocket does not say why.
    $effect(() => {
      const [code, by, role] = [wanted.code(), wanted.token(), wanted.role()];
      this.room = null;
      this.failure = null;
      this.isMissing = false;
      this.known = null;
      if (by === null) return undefined;
      let visit: Room | null = null;
      let isGone = false;
      findRoom(code).then(
        (info) => {
          if (isGone) return;
          this.known = info.options.solo ?? null;
          visit = new Room(code, by, role);
          this.room = visit;
        },
        (failed: unknown) => {
          if (isGone) return;
          const isMissing = failed instanceof ApiError && failed.status === 404;
          if (isMissing && wanted.leadsOn()) return;
          this.isMissing = isMissing;
          this.failure = failed;
        },
      );
      return () => {
        isGone = true;
        visit?.stop();
      };
    });
  }
}
