// The classic tower: n disks, three pegs, 2^n − 1 moves. Nothing is stored: any move and any position is reckoned from
// its number. Held to `shared/data/classic.json`. Moves are counted in bigints, for 64 disks have 2^64 − 1 of them.

/** One of the three pegs. */
export type Peg = 1 | 2 | 3;

/** All pegs. */
export const PEGS: readonly Peg[] = [1, 2, 3];

/** The greatest number of disks. */
export const DISKS_MAX = 64;

/** A tower to be brought from one peg to another. */
export interface Tower {
  disks: number;
  source: Peg;
  target: Peg;
}

/** One move: that disk, 1 the smallest. */
export interface Move {
  disk: number;
  from: Peg;
  to: Peg;
}

/** The peg of disk i at index i − 1. On a peg the smaller ones lie above. */
export type Position = readonly Peg[];

/** The peg that is neither of two different ones. */
export function third(a: Peg, b: Peg): Peg {
  return (6 - a - b) as Peg;
}

/** All moves of a tower. */
export function movesOf({ disks }: Tower): bigint {
  return (1n << BigInt(disks)) - 1n;
}

/** How often a disk moves. */
export function shareOf({ disks }: Tower, disk: number): bigint {
  return 1n << BigInt(disks - disk);
}

/** The pegs in the order in which a disk visits them, the source first. */
export function roundOf({ disks, source, target }: Tower, disk: number): readonly [Peg, Peg, Peg] {
  const spare = third(source, target);
  return (disks - disk) % 2 === 0 ? [source, target, spare] : [source, spare, target];
}

/** Where a disk is after so many moves of its own. */
function pegAfter(tower: Tower, disk: number, moves: bigint): Peg {
  return roundOf(tower, disk)[Number(moves % 3n) as 0 | 1 | 2];
}

/** Move `number`, from 1 to 2^n − 1; `null` outside. */
export function moveAt(tower: Tower, number: bigint): Move | null {
  if (number < 1n || number > movesOf(tower)) return null;
  let disk = 1;
  while ((number >> BigInt(disk - 1)) % 2n === 0n) disk += 1;
  const before = number >> BigInt(disk);
  return { disk, from: pegAfter(tower, disk, before), to: pegAfter(tower, disk, before + 1n) };
}

/** The position after so many moves, from 0 to 2^n − 1. */
export function after(tower: Tower, made: bigint): Position {
  return Array.from({ length: tower.disks }, (_, index) => {
    const half = 1n << BigInt(index);
    return pegAfter(tower, index + 1, (made + half) >> BigInt(index + 1));
  });
}

/** The disks of a peg from the top down. */
export function disksOn(position: Position, peg: Peg): number[] {
  return position.flatMap((on, index) => (on === peg ? [index + 1] : []));
}

/** Why a move is not allowed: nothing to lift, nowhere to go, or a smaller disk in the way. */
export type Refusal =
  | { why: 'empty'; peg: Peg }
  | { why: 'same'; disk: number; peg: Peg }
  | { why: 'smaller'; disk: number; below: number };

/** The move of the top disk of one peg to another, or why it is not allowed. */
export function check(position: Position, from: Peg, to: Peg): Move | Refusal {
  const [disk] = disksOn(position, from);
  const [below] = disksOn(position, to);
  if (disk === undefined) return { why: 'empty', peg: from };
  if (from === to) return { why: 'same', disk, peg: from };
  if (below !== undefined && below < disk) return { why: 'smaller', disk, below };
  return { disk, from, to };
}

/** The position after a move that is allowed. */
export function withMove(position: Position, { disk, to }: Move): Position {
  return position.map((on, index) => (index === disk - 1 ? to : on));
}

/** Whether all disks are on that peg. */
export function isTowerOn(position: Position, peg: Peg): boolean {
  return position.every((on) => on === peg);
}

/** From the largest down, the disks that are not where they must go, and where that is. */
function misplaced(position: Position, target: Peg): { disk: number; to: Peg }[] {
  const found: { disk: number; to: Peg }[] = [];
  let to = target;
  for (let disk = position.length; disk >= 1; disk -= 1) {
    const at = position[disk - 1] as Peg;
    if (at === to) continue;
    found.push({ disk, to });
    // All smaller ones have to be out of its way.
    to = third(at, to);
  }
  return found;
}

/** The fewest moves to the whole tower on a peg. */
export function movesLeft(position: Position, target: Peg): bigint {
  return misplaced(position, target).reduce((left, { disk }) => left + (1n << BigInt(disk - 1)), 0n);
}

/** The first move of the one shortest way to the whole tower on a peg; `null` where it stands there. */
export function hintAt(position: Position, target: Peg): Move | null {
  const last = misplaced(position, target).at(-1);
  return last === undefined ? null : { ...last, from: position[last.disk - 1] as Peg };
}
