import { describe, expect, it } from 'vitest';
import { beginOf, formatLeft, isLate, sayDay, sayInstant, shareText, shifted } from './daily';
import { speak } from './locale.svelte';
import type { DailyResult } from './protocol';

const RESULT: DailyResult = {
  round_id: '0190a000',
  finished: true,
  moves: 9,
  errors: 0,
  optimum: 8,
  stars: 3,
  crown: false,
  flawless: true,
  score: 1725,
  official_ms: 42_999,
};

const share = (change: Partial<DailyResult>, streak = 4, isInterrupted = false): string =>
  shareText({ day: '2026-11-30', preset: 'initiate', result: { ...RESULT, ...change }, streak, isInterrupted }, 'https://spire.example/daily/2026-11-30');

describe('a result to share', () => {
  it('tells how it went in one line, and where the board is to be had', () => {
    expect(share({})).toBe(
      'Daily Spire 2026-11-30 · initiate ★★★ · 9 moves (best 8) · 0:42 · flawless · streak 4\nhttps://spire.example/daily/2026-11-30',
    );
  });

  it('tells of the crown, of fewer stars, of errors and of a first day', () => {
    const [line] = share({ moves: 8, crown: true, flawless: false }, 1).split('\n');
    expect(line).toBe('Daily Spire 2026-11-30 · initiate ★★★ and the crown · 8 moves (best 8) · 0:42');
    const [other] = share({ moves: 14, stars: 1, flawless: false, errors: 1, official_ms: 125_000 }).split('\n');
    expect(other).toBe('Daily Spire 2026-11-30 · initiate ★☆☆ · 14 moves (best 8) · 2:05 · 1 error · streak 4');
  });

  it('tells that the server interrupted the try, finished or not', () => {
    const [line] = share({ flawless: false }, 1, true).split('\n');
    expect(line).toBe('Daily Spire 2026-11-30 · initiate ★★★ · 9 moves (best 8) · 0:42 · interrupted by the server');
    expect(share({ finished: false }, 2, true)).toContain(' · not restored · interrupted by the server · streak 2');
  });

  it('is told in the language that is spoken, and a day too', async () => {
    await speak('de');
    expect(share({ flawless: false, errors: 1 }).split('\n')[0]).toBe(
      'Daily Spire 2026-11-30 · initiate ★★★ · 9 Züge (Optimum 8) · 0:42 · 1 Fehler · Serie 4',
    );
    expect(sayDay('2026-11-30')).toBe('Montag, 30. November 2026');
    await speak('en');
  });

  it('tells of a try that came to nothing without figures that say something of the board', () => {
    const [line] = share({ finished: false, stars: 0, moves: 31, errors: 2, official_ms: null, score: 0 }, 0).split('\n');
    expect(line).toBe('Daily Spire 2026-11-30 · initiate · not restored');
  });
});

describe('a day', () => {
  it('is one of the calendar, and UTC', () => {
    // From a calendar: `date -u -d 2026-11-30 +%s`.
    expect(beginOf('2026-11-30')).toBe(1_795_996_800_000);
    expect(['2026-02-29', '2026-13-01', '2026-1-01', 'today', '', '2026-11-30 '].map(beginOf)).toEqual(Array(6).fill(null));
  });

  it('follows another over months and leap days', () => {
    expect(shifted('2026-11-30', 1)).toBe('2026-12-01');
    expect(shifted('2027-01-01', -1)).toBe('2026-12-31');
    expect(shifted('2028-02-28', 1)).toBe('2028-02-29');
  });

  it('is said as people say it', () => {
    expect(sayDay('2026-11-30')).toBe('Monday, 30 November 2026');
    expect(sayDay('nonsense')).toBe('nonsense');
  });

  it('is promised before it begins, or late', () => {
    const promise = { day: '2026-11-30', preset: 'initiate', commitment: '', ends_at_ms: 1_796_083_200_000 } as const;
    expect(isLate({ ...promise, committed_at_ms: 1_795_996_799_999 })).toBe(false);
    expect(isLate({ ...promise, committed_at_ms: 1_795_996_800_000 })).toBe(true);
    expect(sayInstant(1_795_996_799_999)).toBe('2026-11-29 23:59 UTC');
  });

  it('is over when nothing of it is left', () => {
    expect(formatLeft(5 * 3_600_000 + 12 * 60_000 + 32_001)).toBe('5:12:33');
    expect(formatLeft(59_000)).toBe('0:00:59');
    expect(formatLeft(1)).toBe('0:00:01');
    expect(formatLeft(-5)).toBe('0:00:00');
  });
});
