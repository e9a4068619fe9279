import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Review } from './protocol';
import { askForReview } from './review.svelte';

const REVIEW: Review = { format: 1, complete: true, optimum: 3, curves: [], seats: [], marks: [], leads: [] };

/** What the server answers, one after the other; the last one for ever. */
let answers: Response[];
let asked: string[];
let told: [Review | null, boolean][];
let stop: () => void;

const atWork = (after: string): Response => new Response(null, { status: 202, headers: { 'retry-after': after } });
const there = (): Response => Response.json(REVIEW);
const problem = (status: number): Response => Response.json({ status, code: 'x', detail: 'no' }, { status });

function ask(afterMs: number, ...said: Response[]): void {
  answers = said;
  stop = askForReview('round', afterMs, (review, isAwaited) => told.push([review, isAwaited]));
}

beforeEach(() => {
  [asked, told] = [[], []];
  vi.useFakeTimers();
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    const said = (answers.length > 1 ? answers.shift() : answers[0]?.clone()) ?? problem(500);
    return Promise.resolve(said);
  });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('an analysis is asked for again as the server says until it is there, and not after that', async () => {
  ask(0, atWork('2'), problem(503), there());
  await vi.advanceTimersByTimeAsync(0);
  expect([asked, told]).toEqual([['/api/v1/matches/round/review'], [[null, true]]]);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  // As many wait as may: later.
  expect(told.at(-1)).toEqual([null, true]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told.at(-1)).toEqual([REVIEW, false]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect([asked.length, told.length]).toEqual([3, 3]);
});

it('an analysis that may not be seen yet is not asked for before', async () => {
  ask(16_000, there());
  await vi.advanceTimersByTimeAsync(15_999);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual([[REVIEW, false]]);
});

it('where there is no analysis, or none for minutes, nobody waits any longer', async () => {
  ask(0, problem(404));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked.length, told]).toEqual([1, [[null, false]]]);
  ask(0, atWork('1'));
  await vi.advanceTimersByTimeAsync(600_000);
  expect([asked.length, told.at(-1)]).toEqual([121, [null, false]]);
});

it('whoever has gone is told nothing', async () => {
  ask(0, atWork('1'), there());
  await vi.advanceTimersByTimeAsync(500);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked.length, told]).toEqual([1, [[null, true]]]);
  // Nor of an answer that was under way.
  ask(0, there());
  vi.advanceTimersByTime(0);
  expect(asked).toHaveLength(2);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toHaveLength(1);
});
