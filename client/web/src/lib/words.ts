// Words for the protocol's names: presets, options, endings.

import { titleOf } from './solo';
import type { Contest, Ended, Opponents, PhaseView, Placement, Preset, RoomOptions } from './protocol';

/** All presets, easiest first. */
export const PRESETS: readonly Preset[] = [
  'initiate',
  'apprentice',
  'standard',
  'expert',
  'master',
  'grandmaster',
  'spire',
  'marathon',
];

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name as it stands in a sentence: one that is written from right to left turns nothing round that stands beside it. */
export function isolate(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** What somebody typed as a name, or copied from where it stood apart. */
export function typedName(text: string): string {
  return text.replace(/[\u2066-\u2069]/g, '').trim();
}

/** What was raced on as a title: a preset, or a blueprint. */
export function boardName(preset: Preset | null): string {
  return preset === null ? 'Blueprint' : presetName(preset);
}

/** A preset as a title. */
export function presetName(preset: Preset): string {
  return preset.charAt(0).toUpperCase() + preset.slice(1);
}

/** What decides a round. */
export const CONTESTS: Readonly<Record<Contest, string>> = {
  fastest: 'Fastest harmony',
  fewest: 'Fewest moves',
};

/** What an illegal placement costs. */
export const PLACEMENTS: Readonly<Record<Placement, string>> = {
  strict: 'Strict: a wrong placement is an error',
  guarded: 'Guarded: legal targets are shown',
};

/** What racers see of each other. */
export const OPPONENTS: Readonly<Record<Opponents, string>> = {
  boards: 'Boards',
  progress: 'Progress only',
};

/** Why a round ended. */
export const ENDINGS: Readonly<Record<Ended, string>> = {
  first_decided: 'First place is decided.',
  nobody_at_work: 'Nobody is at work any more.',
  time_up: 'The time is up.',
};

/** What a room is doing, for those who choose what to watch. */
export const PHASES: Readonly<Record<PhaseView, string>> = {
  lobby: 'not begun',
  dealing: 'about to begin',
  countdown: 'about to begin',
  racing: 'racing',
  paused: 'interrupted',
  break: 'between rounds',
  over: 'over',
  closed: 'closed',
};

/** A room's options in one line. */
export function summaryOf(options: RoomOptions): string {
  if (options.solo !== undefined) {
    const isDealt = options.solo.mode === 'shuffle' || options.solo.mode === 'daily';
    return isDealt ? `${titleOf(options.solo)} · ${presetName(options.preset)}` : titleOf(options.solo);
  }
  const board = boardName(options.blueprint === null ? options.preset : null);
  const rounds = options.rounds === 1 ? 'one round' : `best of ${options.rounds}`;
  const parts = [board, `${options.seats} seats`, rounds, CONTESTS[options.contest].toLowerCase(), options.placement];
  if (options.opponents === 'progress') parts.push('opponents as progress');
  if (options.rated) parts.push('rated');
  return parts.join(' · ');
}

/** `1st`, `2nd`, `3rd`, `11th`, `22nd`. */
export function ordinal(rank: number): string {
  const isTeen = Math.floor(rank / 10) % 10 === 1;
  return `${rank}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][rank % 10]) ?? 'th'}`;
}

/** A difference with its sign: `+40`, `−12`, `±0`. */
export function signed(difference: number): string {
  if (difference === 0) return '±0';
  return difference > 0 ? `+${difference}` : `−${-difference}`;
}

/** How many people wait for a quick match. */
export function peopleWaiting(count: number): string {
  if (count === 0) return 'Nobody waits at the moment.';
  return count === 1 ? 'One player waits for a race now.' : `${count} players wait for a race now.`;
}

/** How many watch. */
export function sayViewers(count: number): string {
  return count === 1 ? '1 viewer' : `${count} viewers`;
}
