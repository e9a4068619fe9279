// What is told of the classic tower: why a method makes a move, how long it takes, where the disks are. The English
// words are those of `shared`, held to `shared/data/classic.json`.

import { type Move, type Peg, type Position, type Refusal, type Tower, disksOn, moveAt, roundOf, third } from './classic';
import { locale, words } from './locale.svelte';

/** A way to find the moves; all find the same. */
export type Method = 'recursive' | 'smallest' | 'cyclic' | 'parity';

/** All four, in the order of `shared`. */
export const METHODS: readonly Method[] = ['recursive', 'smallest', 'cyclic', 'parity'];

/** Why a method makes move `number` of a tower; empty where there is no such move. */
export function reasonOf(method: Method, tower: Tower, number: bigint): string {
  const move = moveAt(tower, number);
  if (move === null) return '';
  switch (method) {
    case 'recursive':
      return recursive(move);
    case 'smallest':
      return smallest(tower, move);
    case 'cyclic':
      return cyclic(tower, number, move);
    case 'parity':
      return parity(tower, number, move);
  }
}

function recursive({ disk, from, to }: Move): string {
  const t = words('hanoi').reasons;
  const way = `${from}-${to}`;
  if (disk === 1) return t.one(way);
  return disk === 2 ? t.two(way, third(from, to)) : t.many(disk, way, third(from, to));
}

function smallest(tower: Tower, { disk, from, to }: Move): string {
  const t = words('hanoi').reasons;
  if (disk === 1) return t.oddMove(sayRound(tower, 1));
  return t.evenMove(third(from, to), Math.min(from, to), Math.max(from, to), disk);
}

function cyclic(tower: Tower, number: bigint, { disk }: Move): string {
  const { source, target } = tower;
  const spare = third(source, target);
  const [first, second] = tower.disks % 2 === 0 ? [spare, target] : [target, spare];
  const turn = Number((number - 1n) % 3n) as 0 | 1 | 2;
  const [a, b] = ([[source, first], [source, second], [spare, target]] as const)[turn];
  return words('hanoi').reasons.pair(turn + 1, a, b, disk);
}

function parity(tower: Tower, number: bigint, { disk }: Move): string {
  const last = moveAt(tower, number - 1n);
  return words('hanoi').reasons.parity(disk, sayRound(tower, disk), last?.disk ?? null);
}

/** A disk's way round: `1-3-2`. */
export function sayRound(tower: Tower, disk: number): string {
  return roundOf(tower, disk).join('-');
}

const SECONDS_IN_A_YEAR = 31_556_952n;
const YEARS_OF_THE_UNIVERSE = 13_787_000_000n;

/** A time in seconds as people say it: `31 seconds`, `585 billion years, 42 ages of the universe`. */
export function sayTime(seconds: bigint): string {
  const years = rounded(seconds, SECONDS_IN_A_YEAR);
  const tenths = rounded(years * 10n, YEARS_OF_THE_UNIVERSE);
  const text = inUnits(seconds, years);
  if (tenths < 10n) return text;
  const ages = tenths < 100n ? Number(tenths) / 10 : Number(rounded(tenths, 10n));
  return words('hanoi').times.ages(text, ages.toLocaleString(locale()));
}

function inUnits(seconds: bigint, years: bigint): string {
  const t = words('hanoi').times;
  if (seconds < 120n) return t.seconds(seconds);
  if (seconds < 7_200n) return t.minutes(rounded(seconds, 60n));
  if (seconds < 172_800n) return t.hours(rounded(seconds, 3_600n));
  if (seconds < 2n * SECONDS_IN_A_YEAR) return t.days(rounded(seconds, 86_400n));
  if (years < 1_000_000n) return t.years(years);
  if (years < 1_000_000_000n) return t.millions(rounded(years, 1_000_000n));
  return t.billions(rounded(years, 1_000_000_000n));
}

function rounded(value: bigint, by: bigint): bigint {
  return value / by + (value % by >= (by + 1n) / 2n ? 1n : 0n);
}

/** A count with its digits in groups of three. */
export function sayCount(count: bigint): string {
  return count.toLocaleString(locale());
}

/** A peg in words, from the top down: `Peg 1: disks 1 to 4, 6`. */
export function sayPeg(position: Position, peg: Peg, held: Peg | null): string {
  const disks = disksOn(position, peg);
  const lifted = held === peg ? disks.shift() : undefined;
  const runs: [number, number][] = [];
  for (const disk of disks) {
    const run = runs.at(-1);
    if (run?.[1] === disk - 1) run[1] = disk;
    else runs.push([disk, disk]);
  }
  const t = words('hanoi').peg;
  const told = runs.map(([a, b]) => (a === b ? `${a}` : t.run(a, b))).join(', ');
  const load = disks.length === 0 ? t.empty(peg) : t.disks(peg, told, disks.length === 1);
  return `${load}${lifted === undefined ? '' : t.inHand(lifted)}`;
}

/** Why a move is not allowed, and what would be right. */
export function sayRefusal(refusal: Refusal): string {
  const t = words('hanoi').refused;
  switch (refusal.why) {
    case 'empty':
      return t.empty(refusal.peg);
    case 'same':
      return t.same(refusal.disk, refusal.peg);
    case 'smaller':
      return t.smaller(refusal.disk, refusal.below);
  }
}
