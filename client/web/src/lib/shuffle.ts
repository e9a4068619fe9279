// Infinite Shuffle as the page knows it: the level that is wanted, seeds as they are typed and shared, and what comes next.

import type { Option } from './boards';
import { words } from './locale.svelte';
import type { Preset } from './protocol';
import { PRESETS, presetName } from './words';

/** A kind of board, or the level that follows the player. */
export type Level = Preset | 'adaptive';

/** All levels. */
export function levels(): Option<Level>[] {
  return [{ value: 'adaptive', name: words('alone').shuffle.asIGo }, ...PRESETS.map((value) => ({ value, name: presetName(value) }))];
}

/** A board that can be dealt by anybody: the same seed at the same level is the same board. */
export interface Shared {
  /** As it was given; empty where a new board is wanted. */
  seed: string;
  /** `null` where it was not given. */
  preset: Preset | null;
}

/** The path at which a board is dealt again. */
export function sharePath({ seed, preset }: Shared): string {
  const query = new URLSearchParams({ seed });
  if (preset !== null) query.set('preset', preset);
  return `/shuffle?${query}`;
}

/** What an address asks for. */
export function readSearch(search: string): Shared {
  const asked = new URLSearchParams(search);
  const preset = PRESETS.find((name) => name === asked.get('preset')?.toLowerCase()) ?? null;
  return { seed: cleaned(asked.get('seed') ?? ''), preset };
}

/** What somebody pasted: a seed alone, or a whole link. */
export function readPasted(text: string): Shared {
  const search = /\?(\S+)/.exec(text)?.[1];
  if (search !== undefined) return readSearch(search);
  const path = /\/shuffle\/([^/?#\s]+)/.exec(text)?.[1];
  return { seed: cleaned(path ?? text), preset: null };
}

function cleaned(seed: string): string {
  return seed.replace(/\s/g, '').toLowerCase();
}

/** Why a seed is none; empty for one that is, and for none at all. */
export function whyNoSeed(seed: string): string {
  if (seed === '' || /^[0-9a-f]{64}$/.test(seed)) return '';
  const t = words('alone').shuffle;
  if (/^\d{1,20}$/.test(seed)) return BigInt(seed) < 2n ** 64n ? '' : t.seedTooLarge;
  return t.noSeed(seed.length);
}

/** The beginning and the end of a seed: enough to tell two apart at a glance. */
export function shortSeed(seed: string): string {
  return seed.length <= 20 ? seed : `${seed.slice(0, 8)}…${seed.slice(-4)}`;
}

/** What became of a board. */
export interface Became {
  preset: Preset;
  isRestored: boolean;
  /** Some of its transfers were shown. */
  isHelped: boolean;
}

/** Which level comes next, and why. */
export function sayNext(level: Level, { preset, isRestored, isHelped }: Became): string {
  const t = words('alone').shuffle;
  if (level !== 'adaptive') return t.nextChosen(presetName(level));
  const at = PRESETS.indexOf(preset);
  if (isRestored && isHelped) return t.nextShown(presetName(preset));
  if (isRestored) {
    const harder = PRESETS[at + 1];
    if (harder === undefined) return t.nextHardest(presetName(preset));
    // A round of it takes half an hour: nobody is led to one.
    return harder === 'marathon' ? t.nextMarathon(presetName(preset)) : t.nextHarder(presetName(harder));
  }
  const easier = PRESETS[at - 1];
  return easier === undefined ? t.nextEasiest(presetName(preset)) : t.nextEasier(presetName(easier));
}

const KEY = 'sprint.shuffle';

/** The level that was chosen last in this browser. */
export function chosenLevel(): Level {
  try {
    const stored = localStorage.getItem(KEY);
    return PRESETS.find((preset) => preset === stored) ?? 'adaptive';
  } catch {
    return 'adaptive';
  }
}

/** Keeps a level for the boards to come. */
export function chooseLevel(level: Level): void {
  try {
    localStorage.setItem(KEY, level);
  } catch {
    // Without storage the next board follows the player.
  }
}

/** The kind of board to ask for at a level. */
export function presetOf(level: Level): Preset | null {
  return level === 'adaptive' ? null : level;
}

let passed: string | null = null;

/** The player wants another board than the one of that round, which they leave. */
export function passOver(roundId: string): void {
  passed = roundId;
}

/** Whether the player goes on from that round without a look back; told once. */
export function isPassedOver(roundId: string | undefined): boolean {
  const is = passed !== null && passed === roundId;
  if (is) passed = null;
  return is;
}
