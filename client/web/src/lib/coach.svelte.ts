// How far a lesson's coach has come in the round at work: kept over a reload, as the deeds behind it are not.

import { doneAfter, doneOnSight } from './lesson';
import type { StepInfo } from './protocol';
import type { Room } from './room.svelte';

const KEY = 'sprint.lesson';

/** Follows the own deeds in a room, inside a component. */
export class Progressing {
  /** Steps that are done. */
  done = $state(0);

  constructor(room: Room, steps: () => readonly StepInfo[]) {
    const roundId = room.view?.round?.round_id ?? '';
    this.done = room.own === null ? kept(roundId) : doneOnSight(steps(), kept(roundId), room.own);
    $effect(() => {
      room.onDeed = (before, deed, after) => {
        const done = doneAfter(steps(), this.done, before, deed, after);
        if (done === this.done) return;
        this.done = done;
        keep(roundId, done);
      };
      return () => (room.onDeed = null);
    });
  }
}

/** Steps of that round that were done before the page was loaded anew. */
export function kept(roundId: string): number {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as { roundId: unknown; done: unknown } | null;
    return found?.roundId === roundId && typeof found.done === 'number' ? found.done : 0;
  } catch {
    return 0;
  }
}

function keep(roundId: string, done: number): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ roundId, done }));
  } catch {
    // Without storage the coach begins anew after a reload.
  }
}
