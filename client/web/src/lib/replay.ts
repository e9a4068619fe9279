// A stored round played again: how every racer stood at each moment of the race clock. Pure.

import { parseBoard } from './board';
import { type Racer, deedOf, foldRacer } from './fold';
import { settled } from './legality';
import { newPlay } from './play';
import type { Mark, Match, WireEvent } from './protocol';

/** How all stood from an instant of the race clock on, in milliseconds from T0. */
export interface Moment {
  ms: number;
  /** What led to it; `null` at T0. */
  event: WireEvent | null;
  racers: readonly Racer[];
}

/** The moments of a round in order; the first is T0. Empty where no board was dealt. */
export function momentsOf(match: Match): Moment[] {
  if (match.reveal.board === null) return [];
  const board = parseBoard(match.reveal.board);
  const seats = match.result.seats.map(({ seat }) => seat).sort((a, b) => a - b);
  const fresh = { play: newPlay(board), moves: 0, errors: 0, settled: settled(board), finish: null, gaveUp: false };
  const moments: Moment[] = [{ ms: 0, event: null, racers: seats.map((seat) => ({ seat, ...fresh })) }];
  for (const { clock_ms, event } of match.events) {
    const isOfRacers = deedOf(event) !== null || ['progress', 'finished', 'gave_up', 'left'].includes(event.type);
    const before = moments.at(-1);
    if (!isOfRacers || before === undefined) continue;
    // Who left in the countdown gave up before T0.
    moments.push({ ms: Math.max(0, clock_ms), event, racers: before.racers.map((racer) => foldRacer(racer, event)) });
  }
  return moments;
}

/** The place in `moments` of the one that an instant falls into. */
export function momentAt(moments: readonly Moment[], ms: number): number {
  let [low, high] = [0, moments.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((moments[middle]?.ms ?? Infinity) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The instant of the next thing that happens after `ms` (or before it); the nearest end where there is none. */
export function stepFrom(moments: readonly Moment[], ms: number, direction: 1 | -1): number {
  const instants = moments.map((moment) => moment.ms);
  if (direction === 1) return instants.find((instant) => instant > ms) ?? lengthOf(moments);
  return instants.findLast((instant) => instant < ms) ?? 0;
}

/** The mark on a seat's last transfer before a moment; none if that transfer was good, or is not on the board any more. */
export function markAt(moments: readonly Moment[], at: number, marks: readonly Mark[], seat: number): Mark | undefined {
  for (let index = Math.min(at, moments.length - 1); index >= 0; index--) {
    const event = moments[index]?.event;
    if (event == null || !('seat' in event) || event.seat !== seat) continue;
    if (event.type === 'transferred') return marks.find(({ seq }) => seq === event.seq);
    if (event.type === 'undone' || event.type === 'reset') return undefined;
  }
  return undefined;
}

/** When the last thing happened. */
export function lengthOf(moments: readonly Moment[]): number {
  return moments.at(-1)?.ms ?? 0;
}
