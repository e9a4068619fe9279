// The Daily Spire as the page tells it: days of the calendar, how long one lasts, and a result to share. Days are UTC.

import { formatSeconds } from './clock';
import { locale, words } from './locale.svelte';
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

/** How each language says a day; British, as English has it here: `Monday, 30 November 2026`. */
const DAYS_IN = { en: 'en-GB', de: 'de' } as const;

/** A day as people say it: `Monday, 30 November 2026`. */
export function sayDay(day: string): string {
  const begins = beginOf(day);
  if (begins === null) return day;
  const parts = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(DAYS_IN[locale()], parts).format(begins).replace(/^([^\s,]+),? /, '$1, ');
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
  /** Whether the server interrupted it: then its time is no time like the others. */
  isInterrupted: boolean;
}

/** A result as a text to share, with the page's address: how it went, and nothing of the way. */
export function shareText({ day, preset, result, streak, isInterrupted }: Told, address: string): string {
  const t = words('alone');
  const parts = [t.daily.ofDay(day)];
  if (result.finished) {
    const stars = '★'.repeat(result.stars) + '☆'.repeat(3 - result.stars);
    parts.push(`${preset} ${stars}${result.crown ? t.share.crown : ''}`);
    parts.push(t.share.moves(result.moves, result.optimum));
    if (result.official_ms !== null) parts.push(formatSeconds(result.official_ms));
    if (result.flawless) parts.push(t.share.flawless);
    if (result.errors > 0) parts.push(t.errors(result.errors));
  } else {
    parts.push(preset, t.share.failed);
  }
  if (isInterrupted) parts.push(t.share.interrupted);
  if (streak > 1) parts.push(t.share.streak(streak));
  return `${parts.join(' · ')}\n${address}`;
}
