// Words for the protocol's names in the language that is spoken: presets, options, endings, places, problems.

import { locale, words } from './locale.svelte';
import type { Contest, Ended, Opponents, PhaseView, Placement, Preset, RoomOptions } from './protocol';
import { titleOf } from './session';

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
  return preset === null ? words('core').blueprint : presetName(preset);
}

/** A preset as a title. */
export function presetName(preset: Preset): string {
  return words('core').presets[preset];
}

/** What decides a round. */
export function contests(): Readonly<Record<Contest, string>> {
  return words('core').contests;
}

/** What an illegal placement costs. */
export function placements(): Readonly<Record<Placement, string>> {
  return words('core').placements;
}

/** What racers see of each other. */
export function opponents(): Readonly<Record<Opponents, string>> {
  return words('core').opponents;
}

/** Why a round ended, as a sentence. */
export function endingOf(ended: Ended): string {
  return words('core').endings[ended];
}

/** What a room is doing, for those who choose what to watch. */
export function phaseName(phase: PhaseView): string {
  return words('core').phases[phase];
}

/** A room's options in one line. */
export function summaryOf(options: RoomOptions): string {
  if (options.solo !== undefined) {
    const isDealt = options.solo.mode === 'shuffle' || options.solo.mode === 'daily';
    return isDealt ? `${titleOf(options.solo)} · ${presetName(options.preset)}` : titleOf(options.solo);
  }
  const t = words('core').summary;
  const board = boardName(options.blueprint === null ? options.preset : null);
  const parts = [board, t.seats(options.seats), t.rounds(options.rounds), t.contests[options.contest], t.placements[options.placement]];
  if (options.opponents === 'progress') parts.push(t.asProgress);
  if (options.rated) parts.push(t.rated);
  return parts.join(' · ');
}

/** A place: `1st`, `2nd`, `11th`; `1.` in German. */
export function ordinal(rank: number): string {
  return words('core').ordinal(rank);
}

/** A difference with its sign: `+40`, `−12`, `±0`. */
export function signed(difference: number): string {
  if (difference === 0) return '±0';
  return difference > 0 ? `+${difference}` : `−${-difference}`;
}

/** How many people wait for a quick match. */
export function peopleWaiting(count: number): string {
  return words('core').waiting(count);
}

/** How many watch. */
export function sayViewers(count: number): string {
  return words('core').viewers(count);
}

/**
 * What went wrong. The server says it in English and knows best; another language has words for its stable code, or shows
 * what the server says. An empty sentence is the page's own to say.
 */
export function sayProblem(code: string, sentence: string): string {
  const isKnownBest = locale() === 'en' && sentence !== '';
  return (isKnownBest ? undefined : knownProblem(code)) ?? sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The language of what `sayProblem` says, where it is another than the page's: the `lang` of the element that shows it. */
export function tongueOf(code: string): 'en' | undefined {
  return locale() === 'en' || knownProblem(code) !== undefined ? undefined : 'en';
}

function knownProblem(code: string): string | undefined {
  const known: Readonly<Record<string, string>> = words('core').problems;
  return Object.hasOwn(known, code) ? known[code] : undefined;
}
