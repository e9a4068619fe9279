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
    case 'harmony':
      return stands(goal, after);
  }
}

/** Whether a goal is reached by how the board stands, whatever led there. */
function stands(goal: Goal, play: Play): boolean {
  if (goal.goal === 'settled') return settled(play.board) >= goal.disks;
  return goal.goal === 'harmony' && isHarmony(play.board) && (goal.within === null || transfersOf(play) <= goal.within);
}

/** How many steps are done by how the board stands, of which `done` were before: of deeds that the page has not seen. */
export function doneOnSight(steps: readonly StepInfo[], done: number, play: Play): number {
  let now = done;
  if (transfersOf(play) === 0) return now;
  for (let step = steps[now]; step !== undefined && stands(step.goal, play); step = steps[now]) now += 1;
  return now;
}

/** How many steps are done after a deed, of which `done` were before it: one deed may end several. */
export function doneAfter(steps: readonly StepInfo[], done: number, before: Play, deed: Deed, after: Play): number {
  let now = done;
  for (let step = steps[now]; step !== undefined && isReached(step.goal, before, deed, after); step = steps[now]) now += 1;
  return now;
}
