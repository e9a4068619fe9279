import { describe, expect, it } from 'vitest';
import { clockOf, countdownMs, elapsedMs, formatClock, formatMillis, formatSeconds } from './clock';
import type { RoundView } from './protocol';

const ROUND: RoundView = {
  round: 1,
  round_id: '0190a000-0000-7000-8000-000000000000',
  commitment: '00',
  in_ms: null,
  clock_ms: null,
  limit_ms: 300_000,
  credit_ms: 10,
  board: null,
  optimum: null,
  par: null,
  interrupted: false,
  plays: [],
  result: null,
  reveal: null,
};

describe('the race clock', () => {
  it('counts down from the message, whatever the time of day', () => {
    const clock = clockOf({ ...ROUND, in_ms: 3000 }, false, 1_000);
    expect([countdownMs(clock, 1_000), countdownMs(clock, 2_500), countdownMs(clock, 9_000)]).toEqual([3000, 1500, 0]);
    expect([elapsedMs(clock, 3_999), elapsedMs(clock, 4_250)]).toEqual([0, 250]);
  });

  it('runs on from the race time of a snapshot in mid-race', () => {
    const clock = clockOf({ ...ROUND, in_ms: 0, clock_ms: 42_000 }, false, 5_000);
    expect([elapsedMs(clock, 5_000), elapsedMs(clock, 6_000), countdownMs(clock, 5_000)]).toEqual([42_000, 43_000, 0]);
  });

  it('stands still while the race is paused', () => {
    const clock = clockOf({ ...ROUND, clock_ms: 42_000 }, true, 5_000);
    expect([elapsedMs(clock, 5_000), elapsedMs(clock, 95_000), countdownMs(clock, 5_000)]).toEqual([42_000, 42_000, null]);
  });
});

describe('times', () => {
  it('are cut off, never rounded up', () => {
    expect(formatClock(119_999)).toBe('1:59.9');
    expect(formatSeconds(59_999)).toBe('0:59');
    expect(formatMillis(65_007)).toBe('1:05.007');
  });
});
