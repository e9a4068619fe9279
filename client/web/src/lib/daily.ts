// The Daily Spire as the page tells it: days of the calendar, how long one lasts, and a result to share. Days are UTC.

import { formatSeconds } from './clock';
import type { DailyPromise, DailyResult, Preset } from './protocol';

const DAY_MS = 86_400_000;

/** When a day begins, in milliseconds since the Unix epoch; `null` for a text that is no day, `YYYY-MM-DD`. */
export function beginOf(day: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const begins = Date.parse(`${day}T00:00:00Z`);
  // The 30th of February is read as another day, or as none.
  return Number.isNaN(begins) || dayAt(begins) !== day ? null : begins;
}

/** The day that many days on from another one, or back from it. */
export function shifted(day: string, days: number): string {
  return dayAt((beginOf(day) ?? 0) + days * DAY_MS);
}

function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** A day as people say it: `Monday, 30 November 2026`. */
export function sayDay(day: string): string {
  const begins = beginOf(day);
  if (begins === null) return day;
  const parts = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', parts).format(begins).replace(/^(\w+),? /, '$1, ');
}

/** An instant to the minute: `2026-11-29 00:00 UTC`. */
export function sayInstant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Whether the server bound itself only once the day had begun, as one that was not there before does. */
export function isLate({ day, committed_at_ms }: DailyPromise): boolean {
  return committed_at_ms >= (beginOf(day) ?? 0);
}

/** What is left of a day: `5:12:33`, hours first. */
export function formatLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const two = (count: number): string => String(count).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** A rated try that can be told to others. */
export interface Told {
  day: string;
  preset: Preset;
  result: DailyResult;
  /** Days in a row. */
  streak: number;
}

/** A result as a text to share, with the page's address: how it went, and nothing of the way. */
export function shareText({ day, preset, result, streak }: Told, address: string): string {
  const parts = [`Daily Spire ${day}`];
  if (result.finished) {
    const stars = '★'.repeat(result.stars) + '☆'.repeat(3 - result.stars);
    parts.push(`${preset} ${stars}${result.crown ? ' and the crown' : ''}`);
    const moves = `${result.moves} ${result.moves === 1 ? 'move' : 'moves'}`;
    parts.push(`${moves} (best ${result.optimum})`);
    if (result.official_ms !== null) parts.push(formatSeconds(result.official_ms));
    if (result.flawless) parts.push('flawless');
    if (result.errors > 0) parts.push(sayErrors(result.errors));
  } else {
    parts.push(preset, 'not restored');
  }
  if (streak > 1) parts.push(`streak ${streak}`);
  return `${parts.join(' · ')}\n${address}`;
}

/** How many placement errors: `1 error`. */
export function sayErrors(errors: number): string {
  return `${errors} ${errors === 1 ? 'error' : 'errors'}`;
}

/** Days in a row: `4 days`. */
export function sayDays(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}
