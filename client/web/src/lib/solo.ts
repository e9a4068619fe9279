// What is played alone, as the page tells it: stages and their records, what is open, and the Spire Ledger as a sum.

import { formatMillis, formatSeconds } from './clock';
import type { Progress, SeatResult, StageInfo, StageRecord } from './protocol';

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

/** One line of the Spire Ledger. */
export interface LedgerLine {
  /** What it is for. */
  what: string;
  /** What it adds, or what the sum so far is multiplied by. */
  figure: string;
  /** The sum with it. */
  sum: number;
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

/** `3 spectra of 4 disks`, `5 pegs, 2 of them free`, `1 seal`: what a stage is made of. */
export function featuresOf(stage: StageInfo): string[] {
  const { spectra, sizes, pegs, free, collars, seals, homes } = stage;
  const parts = [`${count(spectra, 'spectrum', 'spectra')} of up to ${count(sizes, 'disk')}`];
  parts.push(`${count(pegs, 'peg')}, ${free === 0 ? 'none' : free} of them free`);
  if (collars > 0) parts.push(`${count(collars, 'place')} under collars`);
  if (seals > 0) parts.push(count(seals, 'seal'));
  if (homes > 0) parts.push(`${count(homes, 'spectrum', 'spectra')} with a home`);
  return parts;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** The Spire Ledger of a finish, line by line (RULES section 4); empty without harmony. */
export function ledgerOf(seat: SeatResult, par: number | null): LedgerLine[] {
  if (seat.finish === null) return [];
  const lines: LedgerLine[] = [{ what: 'Harmony', figure: '1000', sum: 1000 }];
  const add = (what: string, points: number): void => {
    lines.push({ what, figure: `+ ${points}`, sum: (lines.at(-1)?.sum ?? 0) + points });
  };
  const under = Math.max(0, (par ?? 0) - seat.moves);
  if (par !== null) add(`${count(under, 'move')} under par, 50 each`, 50 * under);
  const isFast = seat.finish.official_ms < BONUS_MS;
  add(isFast ? 'Under 2:00' : 'Not under 2:00', isFast ? 100 : 0);
  const sum = lines.at(-1)?.sum ?? 0;
  lines.push(
    seat.flawless
      ? { what: 'Flawless: neither undo nor reset', figure: '× 1.5', sum: (sum * 3) / 2 }
      : { what: 'Undo or reset was used', figure: '× 1', sum },
  );
  return lines;
}

/** What a finish improved on the record that stood before it, in words; all of it on a first finish is no news. */
export function improvements(before: StageRecord | null, seat: SeatResult): string[] {
  if (before === null || before.solved === 0 || seat.finish === null) return [];
  const found: string[] = [];
  if (seat.score > before.score) found.push(`Best score: ${seat.score}, before ${before.score}.`);
  if (before.moves !== null && seat.moves < before.moves) found.push(`Fewest moves: ${seat.moves}, before ${before.moves}.`);
  const time = seat.finish.official_ms;
  if (before.official_ms !== null && time < before.official_ms) {
    found.push(`Best time: ${formatMillis(time)}, before ${formatMillis(before.official_ms)}.`);
  }
  return found;
}

/** A record in one line: `7 moves · 0:12`. */
export function sayRecord(record: StageRecord | null): string {
  if (record === null || record.moves === null) return 'not solved yet';
  const time = record.official_ms === null ? '' : ` · ${formatSeconds(record.official_ms)}`;
  return `${count(record.moves, 'move')}${time}`;
}
