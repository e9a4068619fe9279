// The race clock and the countdown. Everything is relative to the moment of a message's receipt on this page's
// monotonic clock; the wall clock, which may be an hour off, is never read.

import type { RoundView } from './protocol';

/** How long somebody has waited: `0:07`, `12:30`. */
export function formatWait(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Where a race stands in time. All instants are `performance.now()` milliseconds. */
export interface RaceClock {
  /** T0, where it is known. */
  startsAt: number | null;
  /** When boards are shown and acts are judged: T0, or later after an interruption. */
  shownAt: number | null;
  /** Race time at which the clock stands still; `null` while it runs. */
  stoppedMs: number | null;
}

/** A clock of which nothing is known yet. */
export const NO_CLOCK: RaceClock = { startsAt: null, shownAt: null, stoppedMs: null };

/** The clock that a snapshot tells, received at `now`. */
export function clockOf(round: RoundView | null, isPaused: boolean, now: number): RaceClock {
  if (round === null) return NO_CLOCK;
  const shownAt = round.in_ms === null ? null : now + round.in_ms;
  if (isPaused || round.clock_ms === null) {
    return { startsAt: isPaused ? null : shownAt, shownAt, stoppedMs: isPaused ? (round.clock_ms ?? 0) : null };
  }
  // Between an interruption and the moment at which boards are shown again the clock may be ahead of nothing yet.
  return { startsAt: now - round.clock_ms, shownAt: shownAt ?? now, stoppedMs: null };
}

/** Race time at `now` in milliseconds; 0 before T0. */
export function elapsedMs(clock: RaceClock, now: number): number {
  if (clock.stoppedMs !== null) return clock.stoppedMs;
  return clock.startsAt === null ? 0 : Math.max(0, now - clock.startsAt);
}

/** Milliseconds until boards are shown; 0 once they are, `null` while that is not known. */
export function countdownMs(clock: RaceClock, now: number): number | null {
  return clock.shownAt === null ? null : Math.max(0, clock.shownAt - now);
}

/** `1:05.3`: minutes, seconds, tenths, cut off and never rounded up. */
export function formatClock(ms: number): string {
  const tenths = Math.floor(ms / 100);
  return `${formatSeconds(ms)}.${tenths % 10}`;
}

/** `1:05`: minutes and whole seconds, cut off. */
export function formatSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `1:05.342`: a result, to the millisecond. */
export function formatMillis(ms: number): string {
  return `${formatSeconds(ms)}.${String(ms % 1000).padStart(3, '0')}`;
}
