// The leaderboards: which one is looked at, how that stands in an address, and what an entry's value reads like.

import { formatMillis } from './clock';
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

/** The boards, by what is compared. */
export const BOARDS: readonly Option<Board>[] = [
  { value: 'rating', name: 'Rating' },
  { value: 'sprint', name: 'Points' },
  { value: 'fastest', name: 'Fastest' },
  { value: 'fewest', name: 'Fewest' },
];

/** The stretches of time. */
export const PERIODS: readonly Option<Period>[] = [
  { value: 'day', name: 'Today' },
  { value: 'week', name: 'This week' },
  { value: 'all', name: 'All time' },
];

/** Who is compared. */
export const LISTS: readonly Option<List>[] = [
  { value: 'people', name: 'People' },
  { value: 'bots', name: 'Bots' },
  { value: 'apart', name: 'Set apart' },
];

/** What each board compares, in a sentence. */
export const ABOUT: Readonly<Record<Board, string>> = {
  rating: 'How strong each has proven to be against the others. ± is how far the true strength may lie off.',
  sprint: 'The sum of round scores.',
  fastest: 'The fastest clean finish of each, official time.',
  fewest: 'The fewest moves of each, divided by the fewest that solve the board.',
  stage: 'The best score of each on this stage; of the same score, who was faster.',
  daily: 'The rated try of each on this day; of the same score, who was faster.',
};

/** What each list holds, where that is not plain from its name. */
export const ABOUT_LIST: Readonly<Record<List, string>> = {
  people: '',
  bots: 'Programs race on a ladder of their own.',
  apart: "Results of flagged players, and results that no hand seems to have made. They are kept here, and take nobody's place.",
};

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
  const values = <T>(options: readonly Option<T>[]): T[] => options.map((option) => option.value);
  return possible({
    board: named('board', values(BOARDS), FIRST_CHOICE.board),
    preset: PRESETS.find((preset) => preset === asked.get('preset')) ?? null,
    period: named('period', values(PERIODS), FIRST_CHOICE.period),
    list: named('list', values(LISTS), FIRST_CHOICE.list),
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

/** The head of the column of values. */
export const VALUE_HEAD: Readonly<Record<Board, string>> = {
  rating: 'Rating',
  sprint: 'Points',
  fastest: 'Time',
  fewest: 'Moves / best',
  stage: 'Score',
  daily: 'Score',
};

/** An entry's value as people read it. */
export function valueOf(board: Board, entry: LeaderboardEntry): string {
  switch (board) {
    case 'rating':
      return `${entry.value} ± ${entry.uncertainty ?? '?'}`;
    case 'sprint':
    case 'stage':
    case 'daily':
      return entry.value.toLocaleString('en');
    case 'fastest':
      return formatMillis(entry.value);
    case 'fewest':
      return entry.moves == null || entry.optimum == null ? '–' : (entry.moves / entry.optimum).toFixed(3);
  }
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
  const marks = errors === 0 ? [] : [errors === 1 ? '1 error' : `${errors} errors`];
  return entry.interrupted ? [...marks, 'interrupted'] : marks;
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

/** Why a player does not stand on a board. */
export function notYet(choice: Choice): string {
  if (choice.list === 'bots') return '';
  if (choice.list === 'apart') return '';
  if (choice.board === 'rating') return 'You are not on this board yet: a rating stands here once it has settled.';
  if (choice.board === 'sprint') return 'You are not on this board yet: race a quick match.';
  return 'You are not on this board yet: finish a quick match without an error.';
}
