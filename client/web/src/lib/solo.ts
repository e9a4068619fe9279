// What is played alone, as the page knows it: stages and their records, and what is open. What is said of it is in `ledger.ts`.

import type { Progress, StageInfo, StageRecord } from './protocol';

export { isHelped, isOnce, pathOf, titleOf } from './session';

/** Under so much official time the ledger gives its bonus, in milliseconds. */
export const BONUS_MS = 120_000;

/** The most stars of a stage. */
export const STARS = 3;

/** A chapter of the almanac with its stages in order. */
export interface Chapter {
  name: string;
  stages: StageInfo[];
}

/** What all stages together came to. */
export interface Totals {
  stars: number;
  starsMax: number;
  crowns: number;
  crownsMax: number;
  solved: number;
}

/** The chapters in order. */
export function chaptersOf(stages: readonly StageInfo[]): Chapter[] {
  const chapters: Chapter[] = [];
  for (const stage of stages) {
    const last = chapters.at(-1);
    if (last?.name === stage.chapter) last.stages.push(stage);
    else chapters.push({ name: stage.chapter, stages: [stage] });
  }
  return chapters;
}

/** A player's record on a stage; none for who has not tried it, or is not known. */
export function recordOf(progress: Progress | null, stage: number): StageRecord | null {
  return progress?.stages.find((record) => record.stage === stage) ?? null;
}

/** Whether a stage may be begun: the first one always. */
export function isOpen(progress: Progress | null, stage: number): boolean {
  return stage <= Math.max(1, progress?.open ?? 1);
}

/** Stars, crowns and solved stages of all stages together. */
export function totalsOf(stages: readonly StageInfo[], progress: Progress | null): Totals {
  const records = progress?.stages ?? [];
  const stars = records.reduce((sum, record) => sum + record.stars, 0);
  const crowns = records.filter((record) => record.crown).length;
  const solved = records.filter((record) => record.solved > 0).length;
  return { stars, starsMax: STARS * stages.length, crowns, crownsMax: stages.length, solved };
}

/** The stage to go on with: the first open one that is not solved; `null` once all are. */
export function nextStage(stages: readonly StageInfo[], progress: Progress | null): StageInfo | null {
  const isSolved = (stage: StageInfo): boolean => (recordOf(progress, stage.stage)?.solved ?? 0) > 0;
  return stages.find((stage) => isOpen(progress, stage.stage) && !isSolved(stage)) ?? null;
}
