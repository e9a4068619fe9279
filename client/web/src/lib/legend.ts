// What is told of the classic tower: why a method makes a move, how long it takes, where the disks are. In the words of
// `shared`, held to `shared/data/classic.json`.

import { type Move, type Peg, type Position, type Tower, disksOn, moveAt, roundOf, third } from './classic';

/** A way to find the moves; all find the same. */
export type Method = 'recursive' | 'smallest' | 'cyclic' | 'parity';

/** All four, in the order of `shared`. */
export const METHODS: readonly { value: Method; name: string; how: string }[] = [
  { value: 'recursive', name: 'Recursive', how: 'Bring all smaller disks out of the way, the largest over, and the smaller ones after it. The same for each of them.' },
  { value: 'smallest', name: 'Smallest disk', how: 'Every odd move takes the smallest disk one peg further on its round. Every even move is the only one that leaves it alone.' },
  { value: 'cyclic', name: 'Peg pairs', how: 'Three pairs of pegs take turns. Between two pegs only one move is allowed: make it.' },
  { value: 'parity', name: 'Odd and even', how: 'Odd disks go one way round, even disks the other, and no disk moves twice running. One move is left each time.' },
];

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
  const spare = third(from, to);
  if (disk === 1) return `Disk 1 goes ${from}-${to}: nothing lies on it.`;
  if (disk === 2) return `Disks 1 and 2 go ${from}-${to}: 1 waits on peg ${spare}, now 2 goes, then 1 follows.`;
  const above = disk === 3 ? '1 and 2' : `1 to ${disk - 1}`;
  return `Disks 1 to ${disk} go ${from}-${to}: ${above} wait on peg ${spare}, now ${disk} goes, then they follow.`;
}

function smallest(tower: Tower, { disk, from, to }: Move): string {
  if (disk === 1) return `An odd move: disk 1 goes on its round ${sayRound(tower, 1)}.`;
  const [a, b] = [Math.min(from, to), Math.max(from, to)];
  return `An even move: disk 1 rests on peg ${third(from, to)}; between pegs ${a} and ${b} only disk ${disk} can go.`;
}

function cyclic(tower: Tower, number: bigint, { disk }: Move): string {
  const { source, target } = tower;
  const spare = third(source, target);
  const [first, second] = tower.disks % 2 === 0 ? [spare, target] : [target, spare];
  const turn = Number((number - 1n) % 3n) as 0 | 1 | 2;
  const [a, b] = ([[source, first], [source, second], [spare, target]] as const)[turn];
  return `Pair ${turn + 1} of 3 is pegs ${a} and ${b}: between them only disk ${disk} can go.`;
}

function parity(tower: Tower, number: bigint, { disk }: Move): string {
  const last = moveAt(tower, number - 1n);
  const why = last === null ? 'no other can' : `disk ${last.disk} has just moved, and no other can`;
  return `Disk ${disk} is ${disk % 2 === 0 ? 'even' : 'odd'} and goes round ${sayRound(tower, disk)}: ${why}.`;
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
  const ages = tenths < 100n ? `${tenths / 10n}.${tenths % 10n}` : `${rounded(tenths, 10n)}`;
  return `${text}, ${ages} ages of the universe`;
}

function inUnits(seconds: bigint, years: bigint): string {
  if (seconds < 120n) return counted(seconds, 'second');
  if (seconds < 7_200n) return counted(rounded(seconds, 60n), 'minute');
  if (seconds < 172_800n) return counted(rounded(seconds, 3_600n), 'hour');
  if (seconds < 2n * SECONDS_IN_A_YEAR) return counted(rounded(seconds, 86_400n), 'day');
  if (years < 1_000_000n) return counted(years, 'year');
  if (years < 1_000_000_000n) return `${rounded(years, 1_000_000n)} million years`;
  return `${rounded(years, 1_000_000_000n)} billion years`;
}

function counted(count: bigint, unit: string): string {
  return `${count} ${unit}${count === 1n ? '' : 's'}`;
}

function rounded(value: bigint, by: bigint): bigint {
  return value / by + (value % by >= (by + 1n) / 2n ? 1n : 0n);
}

/** A count with its digits in groups of three. */
export function sayCount(count: bigint): string {
  return count.toLocaleString('en');
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
  const told = runs.map(([a, b]) => (a === b ? `${a}` : `${a} to ${b}`)).join(', ');
  const load = disks.length === 0 ? 'empty' : `disk${disks.length === 1 ? '' : 's'} ${told}`;
  return `Peg ${peg}: ${load}${lifted === undefined ? '' : `; disk ${lifted} in the hand`}`;
}
