// What a round's analysis says, put into words and lines. Pure; it reckons no distance of its own.

import { formatClock } from './clock';
import { words } from './locale.svelte';
import type { CurveView, Mark, Review, SeatReview, ToGo } from './protocol';

/** The least and the most that a distance can be; `null` where no bound is known. A lost board has neither. */
export interface Bounds {
  lower: number | null;
  upper: number | null;
  isLost: boolean;
}

/** What is known of a distance. */
export function boundsOf(toGo: ToGo): Bounds {
  if (toGo === 'lost') return { lower: null, upper: null, isLost: true };
  const [lower, upper] = typeof toGo === 'number' ? [toGo, toGo] : toGo;
  return { lower, upper, isLost: false };
}

/** A distance as people say it: `14 to go`, `12–17 to go`, `at least 12 to go`, `lost`, `harmony`. */
export function sayToGo(toGo: ToGo): string {
  const t = words('review');
  if (toGo === 'lost') return t.lost;
  if (toGo === 0) return t.harmony;
  if (typeof toGo === 'number') return t.toGo(`${toGo}`);
  const [lower, upper] = toGo;
  if (upper === null) return t.atLeast(`${lower}`);
  return t.toGo(lower === upper ? `${lower}` : `${lower}–${upper}`);
}

/** The distance at an instant of the race clock; `null` before the first one that is known. */
export function toGoAt(curve: CurveView | undefined, ms: number): ToGo | null {
  return curve?.points.findLast(([from]) => from <= ms)?.[1] ?? null;
}

/** Whether a transfer is a mistake to jump to: it lost the board or wasted two transfers or more. */
export function isMistake(mark: Mark): boolean {
  return mark.cost === 'loses' || mark.cost >= 2;
}

/** What a transfer cost, for people. */
export function sayCost(mark: Mark): string {
  return mark.cost === 'loses' ? words('review').lostTheBoard : words('review').cost(mark.cost);
}

/** The next mistake after an instant, or the last one before it. */
export function mistakeFrom(marks: readonly Mark[], ms: number, direction: 1 | -1): Mark | undefined {
  const mistakes = marks.filter(isMistake);
  return direction === 1 ? mistakes.find((mark) => mark.clock_ms > ms) : mistakes.findLast((mark) => mark.clock_ms < ms);
}

/** What a round came to, in a few sentences: what was wasted or lost, and where the lead changed for the last time. */
export function summaryOf(review: Review, nameOf: (seat: number) => string): string[] {
  const sentences = review.seats.map((seat) => sayWaste(seat, nameOf(seat.seat)));
  const changes = leadChanges(review);
  const last = changes.at(-1);
  if (last !== undefined) {
    sentences.push(words('review').summary.lead(changes.length, formatClock(last.clock_ms), nameOf(last.seat)));
  }
  return sentences;
}

function sayWaste(seat: SeatReview, name: string): string {
  const t = words('review').summary;
  if (seat.lost_since_ms !== undefined) return t.lost(name, formatClock(seat.lost_since_ms));
  if (seat.transfers === 0) return t.noTransfer(name);
  if (seat.wasted > 0) return t.wasted(name, seat.wasted);
  // Where bounds leave it open, a transfer is neither one nor the other.
  return seat.optimal + seat.wasteful < seat.transfers ? t.nothingKnown(name) : t.nothing(name);
}

/** Where somebody took the lead from somebody else; moments at which it was shared lie between. */
export function leadChanges(review: Review): { clock_ms: number; seat: number }[] {
  let leader: number | null = null;
  const changes: { clock_ms: number; seat: number }[] = [];
  for (const { clock_ms, seat } of review.leads) {
    if (seat === null || seat === leader) continue;
    if (leader !== null) changes.push({ clock_ms, seat });
    leader = seat;
  }
  return changes;
}
