// What is said to those who do not see the page: one short sentence an event, own moves left to the pegs themselves.

import { type Board, SPECTRA, disksOn, nameOf, topOf } from './board';
import { formatSeconds } from './clock';
import { isOpen, isSealed, roomOf } from './legality';
import { words } from './locale.svelte';
import type { Deed } from './play';
import type { View, WireEvent } from './protocol';
import { isolate } from './words';

/** The name in a seat. */
export function nameAt(view: View | null, seat: number): string {
  return isolate(view?.seats.find((other) => other.seat === seat)?.name ?? words('race').seat(seat));
}

/** What an event means in words; empty where there is nothing to say. */
export function sayEvent(event: WireEvent, view: View, own: number | null): string {
  const say = words('race').spoken;
  switch (event.type) {
    case 'seat_taken':
      return event.seat === own ? '' : say.sitsDown(event.name);
    case 'left':
      return event.seat === own ? '' : say.left(nameAt(view, event.seat));
    case 'host_changed':
      return event.seat === own ? say.youHost : say.host(nameAt(view, event.seat));
    case 'disconnected':
      return event.seat === own ? '' : say.lostConnection(nameAt(view, event.seat));
    case 'readied':
      return event.seat === own || !event.ready ? '' : say.ready(nameAt(view, event.seat));
    case 'countdown_started':
      return view.options.solo === undefined ? say.begins(Math.ceil(event.in_ms / 1000)) : say.boardComes;
    case 'finished': {
      const time = formatSeconds(event.finish.official_ms);
      return event.seat === own ? say.youFinish(time) : say.finishes(nameAt(view, event.seat), time);
    }
    case 'gave_up':
      return event.seat === own ? say.youGaveUp : say.gaveUp(nameAt(view, event.seat));
    case 'paused':
      return say.interrupted;
    case 'resumed':
      return say.resumed;
    case 'round_over':
      return view.options.solo === undefined ? say.roundOver : '';
    default:
      return '';
  }
}

/** What an own act did, on the board before it. */
export function sayDeed(deed: Deed, board: Board): string {
  const say = words('race').spoken;
  const nameOn = (peg: number): string => {
    const disk = topOf(board, peg);
    return disk === undefined ? words('race').theDisk : nameOf(disk);
  };
  switch (deed.type) {
    case 'lifted':
      return say.lifted(nameOn(deed.peg), deed.peg);
    case 'transferred':
      return say.placed(nameOn(deed.from), deed.to);
    case 'put_back':
      return say.putBack(nameOn(deed.peg), deed.peg);
    case 'undone':
      return say.undone(nameOn(deed.to), deed.from);
    case 'reset':
      return say.reset;
    default:
      return '';
  }
}

/** What the lock rings of a peg wait for, those that still hold: short as on the board, and as it is said. */
export function locksOn(board: Board, peg: number, made: number): { label: string; said: string }[] {
  const say = words('race').board;
  const holding = board.rings.filter((ring) => ring.peg === peg && !isOpen(board, ring, made));
  return holding.map(({ collars, until }) => {
    const left = 'moves' in until ? until.moves - made : until.towers;
    const [label, wait] = 'moves' in until ? [say.untilMoves(left), say.moreMoves(left)] : [say.untilTowers(left), say.standing(left)];
    return { label, said: collars === undefined ? say.sealed(wait) : say.collared(collars, wait) };
  });
}

/** A peg in words: its number, what it carries from the top down, what holds it, and whose home it is. */
export function sayPeg(board: Board, peg: number, made: number, held: number | null): string {
  const say = words('race').board;
  const disks = [...disksOn(board, peg)].reverse();
  const lifted = held === peg ? disks.shift() : undefined;
  const parts = [disks.length === 0 ? say.empty : disks.map(nameOf).join(', ')];
  if (lifted !== undefined) parts.push(say.inHand(nameOf(lifted)));
  if (!isSealed(board, peg, made) && disks.length >= roomOf(board, peg, made)) parts.push(say.full);
  for (const { said } of locksOn(board, peg, made)) parts.push(said);
  const home = SPECTRA.find((spectrum) => board.homes[spectrum] === peg);
  if (home !== undefined) parts.push(say.home(words('race').spectra[home]));
  return say.peg(peg, parts.join(', '));
}
