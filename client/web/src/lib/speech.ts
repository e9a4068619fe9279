// What is said to those who do not see the page: one short sentence an event, own moves left to the pegs themselves.

import { type Board, disksOn, nameOf, topOf } from './board';
import { formatSeconds } from './clock';
import { isSealed, roomOf } from './legality';
import type { Deed } from './play';
import type { View, WireEvent } from './protocol';
import { isolate } from './words';

/** The name in a seat. */
export function nameAt(view: View | null, seat: number): string {
  return isolate(view?.seats.find((other) => other.seat === seat)?.name ?? `Seat ${seat}`);
}

/** What an event means in words; empty where there is nothing to say. */
export function sayEvent(event: WireEvent, view: View, own: number | null): string {
  switch (event.type) {
    case 'seat_taken':
      return event.seat === own ? '' : `${event.name} sits down.`;
    case 'left':
      return event.seat === own ? '' : `${nameAt(view, event.seat)} left.`;
    case 'host_changed':
      return event.seat === own ? 'You are the host now.' : `${nameAt(view, event.seat)} is the host now.`;
    case 'disconnected':
      return event.seat === own ? '' : `${nameAt(view, event.seat)} lost the connection.`;
    case 'readied':
      return event.seat === own || !event.ready ? '' : `${nameAt(view, event.seat)} is ready.`;
    case 'countdown_started':
      if (view.options.solo !== undefined) return 'The board comes in a moment.';
      return `The race begins in ${Math.ceil(event.in_ms / 1000)} seconds.`;
    case 'finished': {
      const who = event.seat === own ? 'Spire Restored! You finish' : `${nameAt(view, event.seat)} finishes`;
      return `${who} in ${formatSeconds(event.finish.official_ms)}.`;
    }
    case 'gave_up':
      return event.seat === own ? 'You gave up.' : `${nameAt(view, event.seat)} gave up.`;
    case 'paused':
      return 'The server was interrupted: clocks stand still.';
    case 'resumed':
      return 'Play goes on in a moment.';
    case 'round_over':
      return view.options.solo === undefined ? 'The round is over.' : '';
    default:
      return '';
  }
}

/** What an own act did, on the board before it. */
export function sayDeed(deed: Deed, board: Board): string {
  const nameOn = (peg: number): string => {
    const disk = topOf(board, peg);
    return disk === undefined ? 'The disk' : nameOf(disk);
  };
  switch (deed.type) {
    case 'lifted':
      return `${nameOn(deed.peg)} lifted from peg ${deed.peg}.`;
    case 'transferred':
      return `${nameOn(deed.from)} on peg ${deed.to}.`;
    case 'put_back':
      return `${nameOn(deed.peg)} back on peg ${deed.peg}.`;
    case 'undone':
      return `Undone: ${nameOn(deed.to)} back on peg ${deed.from}.`;
    case 'reset':
      return 'A new attempt: the start board.';
    default:
      return '';
  }
}

/** A peg in words: its number, what it carries from the top down, what holds it. */
export function sayPeg(board: Board, peg: number, made: number, held: number | null): string {
  const disks = [...disksOn(board, peg)].reverse();
  const lifted = held === peg ? disks.shift() : undefined;
  const room = roomOf(board, peg, made);
  const load = disks.length === 0 ? 'empty' : `${disks.map(nameOf).join(', ')}`;
  const hand = lifted === undefined ? '' : `, ${nameOf(lifted)} in the hand`;
  const sealed = isSealed(board, peg, made) ? ', sealed' : '';
  const full = disks.length >= room && sealed === '' ? ', full' : '';
  return `Peg ${peg}: ${load}${hand}${sealed}${full}`;
}
