// The way to harmony as the server finds it: whether it still fits the board, and what comes next on it.

import { type Board, nameOf, topOf } from './board';
import { words } from './locale.svelte';
import type { Act, Play } from './play';
import type { Way } from './protocol';

/** A transfer, pegs from 1. */
export type Step = readonly [from: number, to: number];

/** The transfers of a way; `null` where harmony can no longer be reached. */
export function stepsOf(way: Way): Step[] | null {
  return (
    way.transfers?.map((text): Step => {
      const [from = 0, to = 0] = text.split('-').map(Number);
      return [from, to];
    }) ?? null
  );
}

/** Whether a way begins where the play stands: any act since has made it stale. */
export function isFresh(way: Way, play: Play): boolean {
  return way.ply === play.ply;
}

/** The transfer to point at: the way's first, until it is made or another act has made the way stale. */
export function hintOf(way: Way, play: Play): Step | null {
  const [step] = stepsOf(way) ?? [];
  if (step === undefined) return null;
  const isLifted = way.ply + 1 === play.ply && play.held === step[0];
  return isFresh(way, play) || isLifted ? step : null;
}

/** The act that a transfer asks for next; `null` where another disk is in the hand. */
export function actOf([from, to]: Step, play: Play): Act | null {
  if (play.held === null) return { type: 'lift', peg: from };
  return play.held === from ? { type: 'place', peg: to } : null;
}

/** A hint in words, with how far it is to harmony. */
export function sayHint(board: Board, steps: readonly Step[]): string {
  const [step] = steps;
  if (step === undefined) return '';
  const t = words('alone').help;
  const disk = topOf(board, step[0]);
  return t.say(disk === undefined ? t.theDisk : nameOf(disk), step[0], step[1], steps.length);
}
