// The leaderboards: which one is looked at, how that stands in an address, and what an entry's value reads like.

import { formatMillis } from './clock';
import { locale, words } from './locale.svelte';
import { PRESETS } from './words';
import type { Board, LeaderboardEntry, List, Period, Preset } from './protocol';

/** Which leaderboard is looked at. */
export interface Choice {
  board: Board;
  /** `null` for all presets together: points and rating only. */
  preset: Preset | null;
  period: Period;
  list: List;
  /** Of the board `stage`: which one. */
  stage?: number;
  /** Of the board `daily`: which UTC day, `YYYY-MM-DD`. */
  day?: string;
}

/** An option of a group of buttons. */
export interface Option<T> {
  value: T;
  name: string;
}

/** The boards of quick match, by what is compared. */
const BOARDS = ['rating', 'sprint', 'fastest', 'fewest'] as const satisfies readonly Board[];
/** The stretches of time. */
const PERIODS: readonly Period[] = ['day', 'week', 'all'];
/** Who is compared. */
const LISTS: readonly List[] = ['people', 'bots', 'apart'];

/** The boards of quick match, each by its name. */
export function boardOptions(): Option<Board>[] {
  return BOARDS.map((value) => ({ value, name: words('people').boards.names[value] }));
}

/** The stretches of time, each by its name. */
export function periodOptions(): Option<Period>[] {
  return PERIODS.map((value) => ({ value, name: words('people').boards.periods[value] }));
}

/** The lists, each by its name. */
export function listOptions(): Option<List>[] {
  return LISTS.map((value) => ({ value, name: words('people').boards.lists[value] }));
}

/** What a board of quick match compares, and what its list holds where that is not plain from its name. */
export function aboutOf({ board, list }: Choice): string {
  const t = words('people').boards;
  const about = board === 'stage' || board === 'daily' ? '' : t.about[board];
  return list === 'people' ? about : `${about} ${t.aboutList[list]}`;
}

/** The rating of all presets together, of people. */
export const FIRST_CHOICE: Choice = { board: 'rating', preset: null, period: 'all', list: 'people' };

/** Whether a board is kept by day and week too: a rating is a state, it has no today. */
export function hasPeriods(board: Board): boolean {
  return board !== 'rating';
}

/** Whether this is where people's ratings stand once they have settled. */
export function isRating(choice: Choice): boolean {
  return choice.board === 'rating' && choice.list === 'people';
}

/** Whether a board compares only rounds of one preset: times and moves of different boards compare nothing. */
export function needsPreset(board: Board): boolean {
  return board === 'fastest' || board === 'fewest';
}

/** The nearest choice that a board exists for. */
export function possible(choice: Choice): Choice {
  return {
    ...choice,
    preset: choice.preset ?? (needsPreset(choice.board) ? 'standard' : null),
    period: hasPeriods(choice.board) ? choice.period : 'all',
  };
}

/** The choice that an address holds after its path; what it does not hold, or nobody knows, is as at first. */
export function readChoice(search: string): Choice {
  const asked = new URLSearchParams(search);
  const named = <T extends string>(key: string, names: readonly T[], otherwise: T): T =>
    names.find((name) => name === asked.get(key)) ?? otherwise;
  return possible({
    board: named<Board>('board', BOARDS, FIRST_CHOICE.board),
    preset: PRESETS.find((preset) => preset === asked.get('preset')) ?? null,
    period: named('period', PERIODS, FIRST_CHOICE.period),
    list: named('list', LISTS, FIRST_CHOICE.list),
  });
}

/** What stands after the path for a choice: only what differs from the first one. */
export function searchOf(choice: Choice): string {
  const parts = new URLSearchParams();
  if (choice.board !== FIRST_CHOICE.board) parts.set('board', choice.board);
  if (choice.preset !== null) parts.set('preset', choice.preset);
  if (choice.period !== FIRST_CHOICE.period) parts.set('period', choice.period);
  if (choice.list !== FIRST_CHOICE.list) parts.set('list', choice.list);
  const text = parts.toString();
  return text === '' ? '' : `?${text}`;
}

/** An entry's value as people read it. */
export function valueOf(board: Board, entry: LeaderboardEntry): string {
  switch (board) {
    case 'rating':
      return `${entry.value} ± ${entry.uncertainty ?? '?'}`;
    case 'sprint':
    case 'stage':
    case 'daily':
      return entry.value.toLocaleString(locale());
    case 'fastest':
      return formatMillis(entry.value);
    case 'fewest':
      return entry.moves == null || entry.optimum == null ? '–' : fraction(entry.moves / entry.optimum);
  }
}

/** To three places: no two different ratios of a board read alike. */
function fraction(value: number): string {
  return value.toLocaleString(locale(), { minimumFractionDigits: 3, maximumFractionDigits: 3 });
}

/** `25 / 24`: moves, and the least that would have done. */
export function movesOf(entry: LeaderboardEntry): string {
  if (entry.moves == null) return '–';
  return entry.optimum == null ? `${entry.moves}` : `${entry.moves} / ${entry.optimum}`;
}

/** What is to be known of a score that was reached alone: placement errors, and an interruption by the server. */
export function marksOf(board: Board, entry: LeaderboardEntry): string[] {
  if (board !== 'stage' && board !== 'daily') return [];
  const errors = entry.errors ?? 0;
  const t = words('people').boards;
  const marks = errors === 0 ? [] : [t.errors(errors)];
  return entry.interrupted ? [...marks, t.interrupted] : marks;
}

/** The own entry among the neighbours, if the player stands on the board. */
export function ownEntry(entries: readonly LeaderboardEntry[], playerId: string): LeaderboardEntry | null {
  return entries.find((entry) => entry.player_id === playerId) ?? null;
}

/** Neighbours are shown apart only where the own entry is not among the entries that are shown already. */
export function neighboursBeside(
  shown: readonly LeaderboardEntry[],
  neighbours: readonly LeaderboardEntry[],
  playerId: string,
): readonly LeaderboardEntry[] {
  return ownEntry(shown, playerId) === null && ownEntry(neighbours, playerId) !== null ? neighbours : [];
}

/** A further page behind those that are shown: whoever has moved meanwhile is shown once, where they stood first. */
export function withMore(
  shown: readonly LeaderboardEntry[],
  more: readonly LeaderboardEntry[],
): readonly LeaderboardEntry[] {
  const known = new Set(shown.map((entry) => entry.player_id));
  return [...shown, ...more.filter((entry) => !known.has(entry.player_id))];
}

/** Why a player does not stand on a board; empty on lists that they could not stand on. */
export function notYet(choice: Choice): string {
  if (choice.list !== 'people') return '';
  const t = words('people').boards.notYet;
  return choice.board === 'rating' || choice.board === 'sprint' ? t[choice.board] : t.finish;
}
