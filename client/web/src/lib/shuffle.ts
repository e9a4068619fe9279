// Infinite Shuffle as the page knows it: the level that is wanted, seeds as they are typed and shared, and what comes next.

import type { Option } from './boards';
import type { Preset } from './protocol';
import { PRESETS, presetName } from './words';

/** A kind of board, or the level that follows the player. */
export type Level = Preset | 'adaptive';

/** All levels. */
export const LEVELS: readonly Option<Level>[] = [
  { value: 'adaptive', name: 'As I go' },
  ...PRESETS.map((value) => ({ value, name: presetName(value) })),
];

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
  if (/^\d{1,20}$/.test(seed)) return BigInt(seed) < 2n ** 64n ? '' : 'A seed in decimal digits is below 2^64, 18446744073709551616.';
  return `A seed has 64 hex digits, or is a decimal number below 2^64; this has ${seed.length} characters.`;
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
  if (level !== 'adaptive') return `Next: ${presetName(level)}, as you chose.`;
  const at = PRESETS.indexOf(preset);
  if (isRestored && isHelped) return `Next: ${presetName(preset)} again, as you were shown the way.`;
  if (isRestored) {
    const harder = PRESETS[at + 1];
    if (harder === undefined) return `Next: ${presetName(preset)} again; nothing is harder.`;
    // A round of it takes half an hour: nobody is led to one.
    if (harder === 'marathon') return `Next: ${presetName(preset)} again; only a Marathon is harder, for who chooses it.`;
    return `Next: ${presetName(harder)}, one level harder, as you restored this one.`;
  }
  const easier = PRESETS[at - 1];
  return easier === undefined ? `Next: ${presetName(preset)} again; nothing is easier.` : `Next: ${presetName(easier)}, one level easier, as you left this one.`;
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
