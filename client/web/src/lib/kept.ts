// Boards that have been on this device, to be played without a server. They stay in the browser, so many of each mode; nothing
// of a player is kept with them.

import { notationOf, parseBoard } from './board';
import type { Daily, LessonInfo, PastDaily, Preset, Solo, StageInfo, View } from './protocol';
import { KEPT_KEY } from './reach.svelte';

/** Of each mode the last so many. */
export const MOST = 60;

/** A board that can be played without a server. */
export interface KeptBoard {
  solo: Solo;
  preset: Preset | null;
  /** The board at the start, in notation. */
  board: string;
  optimum: number | null;
  par: number | null;
  /** What the server calls it, and what it teaches; empty where it has no name. */
  name: string;
  idea: string;
}

/** What a board is called in an address: `stage-12`, `lesson-3`, `daily-2026-11-30`, `shuffle-SEED`. */
export function keyOf({ solo }: Pick<KeptBoard, 'solo'>): string {
  switch (solo.mode) {
    case 'stage':
      return `stage-${solo.stage}`;
    case 'lesson':
      return `lesson-${solo.lesson}`;
    case 'daily':
      return `daily-${solo.day}`;
    case 'shuffle':
      return `shuffle-${solo.seed}`;
  }
}

/** A stage that was shown. */
export function ofStage({ stage, board, optimum, par, name, idea }: StageInfo): KeptBoard {
  return { solo: { mode: 'stage', stage }, preset: null, board, optimum, par, name, idea };
}

/** A lesson that was shown. */
export function ofLesson({ lesson, board, optimum, name, teaches }: LessonInfo): KeptBoard {
  return { solo: { mode: 'lesson', lesson }, preset: null, board, optimum, par: null, name, idea: teaches };
}

/** The board of a day that is over. */
export function ofDay({ promise, board, optimum, par }: PastDaily): KeptBoard {
  return { solo: dayOf(promise), preset: promise.preset, board, optimum, par, name: '', idea: '' };
}

/** The board of a session; `null` while it is not shown, or while the one rated try of its day is on. */
export function ofSession(view: View): KeptBoard | null {
  const { round } = view;
  const { solo, preset } = view.options;
  if (solo === undefined || round?.board == null) return null;
  // Nobody goes on trying elsewhere what may be tried once.
  if (solo.mode === 'daily' && !solo.practice && round.result === null) return null;
  const { board, optimum, par } = round;
  const kept = { board, optimum, par, name: '', idea: '' };
  if (solo.mode === 'daily') return { ...kept, solo: dayOf(solo), preset };
  return { ...kept, solo, preset: solo.mode === 'shuffle' ? preset : null };
}

function dayOf({ day, commitment }: Pick<Daily['today'], 'day' | 'commitment'>): Solo {
  return { mode: 'daily', day, commitment, practice: true };
}

/** All kept boards, the last one first. */
export function keptBoards(): KeptBoard[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEPT_KEY) ?? '[]');
    return Array.isArray(found) ? found.filter(isKept) : [];
  } catch {
    return [];
  }
}

/** Keeps boards, the first of them as the last one that was seen. What is known of one already, such as its name, stays. */
export function keepBoards(boards: readonly KeptBoard[]): void {
  const before = keptBoards();
  const known = new Map(before.map((board) => [keyOf(board), board]));
  const fresh = boards.map((board) => ({ ...board, name: board.name || (known.get(keyOf(board))?.name ?? ''), idea: board.idea || (known.get(keyOf(board))?.idea ?? '') }));
  const keys = new Set(fresh.map(keyOf));
  const counted = new Map<Solo['mode'], number>();
  const kept = [...fresh, ...before.filter((board) => !keys.has(keyOf(board)))].filter(({ solo: { mode } }) => {
    counted.set(mode, (counted.get(mode) ?? 0) + 1);
    return (counted.get(mode) ?? 0) <= MOST;
  });
  try {
    localStorage.setItem(KEPT_KEY, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing, or no more: without a network there is nothing to play then.
  }
}

/** Whether something that was kept is a board: another version of the page may have written it. */
function isKept(found: unknown): found is KeptBoard {
  if (typeof found !== 'object' || found === null) return false;
  const { solo, board, optimum, par, name, idea } = found as Record<string, unknown>;
  const isCount = (value: unknown): boolean => value === null || typeof value === 'number';
  if (!isSolo(solo) || typeof board !== 'string' || !isCount(optimum) || !isCount(par)) return false;
  if (typeof name !== 'string' || typeof idea !== 'string') return false;
  try {
    return notationOf(parseBoard(board)) === board;
  } catch {
    return false;
  }
}

function isSolo(found: unknown): found is Solo {
  if (typeof found !== 'object' || found === null) return false;
  const { mode, stage, lesson, seed, day } = found as Record<string, unknown>;
  if (mode === 'stage') return typeof stage === 'number';
  if (mode === 'lesson') return typeof lesson === 'number';
  return (mode === 'shuffle' && typeof seed === 'string') || (mode === 'daily' && typeof day === 'string');
}
