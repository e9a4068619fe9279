import { describe, expect, it } from 'vitest';
import { featuresOf, improvements, ledgerOf, sayRecord } from './ledger';
import type { Progress, SeatResult, StageInfo, StageRecord } from './protocol';
import { chaptersOf, isOpen, nextStage, pathOf, titleOf, totalsOf } from './solo';

const SEAT: SeatResult = {
  seat: 1,
  player: 'ada',
  name: 'Ada',
  bot: false,
  rank: 1,
  finish: { raw_ms: 60_000, credit_ms: 0, official_ms: 60_000 },
  gave_up: false,
  absent: false,
  settled: 6,
  moves: 21,
  errors: 0,
  flawless: true,
  score: 2025,
  stars: 3,
  crown: true,
};

function finished(moves: number, official_ms: number, flawless: boolean): SeatResult {
  return { ...SEAT, moves, flawless, finish: { raw_ms: official_ms, credit_ms: 0, official_ms } };
}

function stage(number: number, chapter = 'Novice Apprentice'): StageInfo {
  const figures = { optimum: 6, par: 8, difficulty_s: 4, spectra: 2, sizes: 3, pegs: 5, free: 3, collars: 0, seals: 0, homes: 0 };
  return { stage: number, name: `Stage ${number}`, chapter, idea: '', board: 'R1/- 7', ...figures };
}

function record(number: number, change: Partial<StageRecord> = {}): StageRecord {
  const figures = { tries: 1, solved: 1, stars: 2, crown: false, score: 1500, moves: 9, official_ms: 65_000, round_id: 'round' };
  return { stage: number, ...figures, ...change };
}

function progress(open: number, ...stages: StageRecord[]): Progress {
  return { stages, open, lessons: [], streak: 0, streak_longest: 0 };
}

describe('the Spire Ledger', () => {
  // By hand from RULES section 4, par 26: 1000, + 50 a move under par, + 100 under 2:00.000, × 1.5 without undo and reset.
  it.each([
    [26, 120_000, false, 1000],
    [26, 119_999, false, 1100],
    [21, 120_000, false, 1250],
    [21, 60_000, true, 2025],
    [25, 119_999, true, 1725],
    [40, 200_000, true, 1500],
  ])('of %i moves in %i ms, flawless %s, sums up to %i', (moves, ms, flawless, score) => {
    const lines = ledgerOf(finished(moves, ms, flawless), 26);
    expect(lines.at(-1)?.sum).toBe(score);
  });

  it('can be followed line by line', () => {
    expect(ledgerOf(finished(21, 60_000, true), 26).map(({ what, figure, sum }) => `${what}: ${figure} = ${sum}`)).toEqual([
      'Harmony: 1000 = 1000',
      '5 moves under par, 50 each: + 250 = 1250',
      'Under 2:00: + 100 = 1350',
      'Flawless: neither undo nor reset: × 1.5 = 2025',
    ]);
    expect(ledgerOf(finished(27, 120_000, false), 26).map(({ figure }) => figure)).toEqual(['1000', '+ 0', '+ 0', '× 1']);
  });

  it('is empty without harmony, and knows nothing under par where par is not known', () => {
    expect(ledgerOf({ ...SEAT, finish: null, score: 0 }, 26)).toEqual([]);
    expect(ledgerOf(finished(3, 200_000, false), null).at(-1)?.sum).toBe(1000);
  });
});

describe('the almanac', () => {
  const STAGES = [stage(1), stage(2), stage(3, 'Cascade Adept')];

  it('has its chapters in order', () => {
    expect(chaptersOf(STAGES).map(({ name, stages }) => [name, stages.length])).toEqual([['Novice Apprentice', 2], ['Cascade Adept', 1]]);
  });

  it('is open at its first stage for everybody, and as far as the server says', () => {
    expect([1, 2, 3].map((number) => isOpen(null, number))).toEqual([true, false, false]);
    expect([1, 2, 3].map((number) => isOpen(progress(2, record(1)), number))).toEqual([true, true, false]);
    expect(isOpen(progress(0), 1)).toBe(true);
  });

  it('goes on with the first open stage that is not solved', () => {
    expect(nextStage(STAGES, null)?.stage).toBe(1);
    expect(nextStage(STAGES, progress(1, record(1, { solved: 0, stars: 0 })))?.stage).toBe(1);
    expect(nextStage(STAGES, progress(2, record(1)))?.stage).toBe(2);
    expect(nextStage(STAGES, progress(3, record(1), record(2), record(3)))).toBeNull();
  });

  it('sums up stars and crowns', () => {
    const all = progress(3, record(1, { stars: 3, crown: true }), record(2, { stars: 1 }), record(3, { solved: 0, stars: 0 }));
    expect(totalsOf(STAGES, all)).toEqual({ stars: 4, starsMax: 9, crowns: 1, crownsMax: 3, solved: 2 });
    expect(totalsOf(STAGES, null)).toEqual({ stars: 0, starsMax: 9, crowns: 0, crownsMax: 3, solved: 0 });
  });

  it('says what a stage is made of', () => {
    expect(featuresOf(stage(1))).toEqual(['2 spectra of up to 3 disks', '5 pegs, 3 of them free']);
    expect(featuresOf({ ...stage(1), free: 0, collars: 1, seals: 2, homes: 1 })).toEqual([
      '2 spectra of up to 3 disks',
      '5 pegs, none of them free',
      '1 place under collars',
      '2 seals',
      '1 spectrum with a home',
    ]);
  });
});

describe('a record', () => {
  it('is beaten by more points, fewer moves, or less time, each for itself', () => {
    const before = record(1, { score: 2025, moves: 22, official_ms: 60_000 });
    expect(improvements(before, SEAT)).toEqual(['Fewest moves: 21, before 22.']);
    expect(improvements(record(1, { score: 2000, moves: 21, official_ms: 60_001 }), SEAT)).toEqual([
      'Best score: 2025, before 2000.',
      'Best time: 1:00.000, before 1:00.001.',
    ]);
    expect(improvements(record(1, { score: 2025, moves: 21, official_ms: 60_000 }), SEAT)).toEqual([]);
  });

  it('is not beaten by the first solve, nor by a session without one', () => {
    expect(improvements(null, SEAT)).toEqual([]);
    expect(improvements(record(1, { solved: 0, score: 0, moves: null, official_ms: null }), SEAT)).toEqual([]);
    expect(improvements(record(1), { ...SEAT, finish: null, moves: 1 })).toEqual([]);
  });

  it('reads as moves and time', () => {
    expect(sayRecord(record(1))).toBe('9 moves · 1:05');
    expect(sayRecord(record(1, { moves: 1 }))).toBe('1 move · 1:05');
    expect([sayRecord(null), sayRecord(record(1, { moves: null }))]).toEqual(['not solved yet', 'not solved yet']);
  });
});

it('a session is called by what is played, and leads back to its page', () => {
  const daily = { mode: 'daily', day: '2026-11-30', commitment: '' } as const;
  const all = [
    { mode: 'stage', stage: 12 },
    { mode: 'lesson', lesson: 3 },
    { mode: 'shuffle', seed: '' },
    { ...daily, practice: false },
    { ...daily, practice: true },
  ] as const;
  expect(all.map(titleOf)).toEqual(['Stage 12', 'Lesson 3', 'Infinite Shuffle', 'Daily Spire 2026-11-30', 'Daily Spire 2026-11-30, practice']);
  expect(all.map(pathOf)).toEqual(['/campaign/12', '/tutorial/3', '/shuffle', '/daily', '/daily']);
});
