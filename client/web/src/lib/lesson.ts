// The coach of a lesson: which of its steps are done. Mirrors `shared/src/lesson.rs`; the server judges nothing by it.

import { disksOn } from './board';
import { check, isHarmony, settled } from './legality';
import { type Deed, type Play, transfersOf } from './play';
import type { Goal, Law, StepInfo } from './protocol';

/** What each law says where it refuses a placement. */
const LAWS: Readonly<Record<Law, 'size' | 'spectrum' | 'target_full'>> = {
  size: 'size',
  spectrum: 'spectrum',
  capacity: 'target_full',
};

/** Whether a deed reached a goal; `before` and `after` are the play before and after it. */
export function isReached(goal: Goal, before: Play, deed: Deed, after: Play): boolean {
  switch (goal.goal) {
    case 'refused':
      if (deed.type !== 'returned' && deed.type !== 'erred') return false;
      return check(before.board, deed.from, deed.to, transfersOf(before)) === LAWS[goal.law];
    case 'emptied':
      return deed.type === 'transferred' && disksOn(after.board, deed.from).length === 0;
    case 'settled':
      return settled(after.board) >= goal.disks;
    case 'harmony':
      return isHarmony(after.board) && (goal.within === null || transfersOf(after) <= goal.within);
  }
}

/** How many steps are done after a deed, of which `done` were before it: one deed may end several. */
export function doneAfter(steps: readonly StepInfo[], done: number, before: Play, deed: Deed, after: Play): number {
  let now = done;
  for (let step = steps[now]; step !== undefined && isReached(step.goal, before, deed, after); step = steps[now]) now += 1;
  return now;
}
