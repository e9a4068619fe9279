// Which classic tower the page shows, in the query of its address: `?disks=64&from=1&to=3&method=cyclic&at=7`.

import { DISKS_MAX, PEGS, type Peg, type Tower, movesOf } from './classic';
import { METHODS, type Method } from './legend';
import { locale, words } from './locale.svelte';

/** What is shown. */
export interface Shown {
  tower: Tower;
  method: Method;
  /** Moves made. */
  made: bigint;
}

const STANDARD: Tower = { disks: 7, source: 1, target: 3 };

/** Reads a query; what is missing or cannot be is as it is at first. */
export function readShown(search: string): Shown {
  const query = new URLSearchParams(search);
  const whole = (name: string): bigint | null => (/^\d{1,20}$/.test(query.get(name) ?? '') ? BigInt(query.get(name) ?? '') : null);
  const peg = (name: string): Peg | undefined => PEGS.find((other) => String(other) === query.get(name));
  const disks = whole('disks');
  const source = peg('from') ?? STANDARD.source;
  const target = peg('to') ?? STANDARD.target;
  const tower: Tower = {
    disks: disks !== null && disks <= DISKS_MAX ? Number(disks) : STANDARD.disks,
    ...(source === target ? { source: STANDARD.source, target: STANDARD.target } : { source, target }),
  };
  const made = whole('at') ?? 0n;
  const method = METHODS.find((method) => method === query.get('method')) ?? 'recursive';
  return { tower, method, made: made <= movesOf(tower) ? made : 0n };
}

/** The query of what is shown. */
export function searchOf({ tower, method, made }: Shown): string {
  const at = made === 0n ? '' : `&at=${made}`;
  return `?disks=${tower.disks}&from=${tower.source}&to=${tower.target}&method=${method}${at}`;
}

/** A number of moves that a person typed, digits perhaps in groups; or what would be right. */
export function readMade(text: string, tower: Tower): bigint | string {
  const digits = text.replace(/[\s,.'_]/g, '');
  const moves = movesOf(tower);
  const made = /^\d+$/.test(digits) ? BigInt(digits) : null;
  return made !== null && made <= moves ? made : words('hanoi').controls.whole(moves.toLocaleString(locale()));
}

/** As fine as a slider is. */
const STOPS = 10_000n;

/** The greatest value of a slider over a tower's moves. */
export function sliderMax(moves: bigint): number {
  return Number(moves < STOPS ? moves : STOPS);
}

/** Where the slider stands after so many moves. */
export function sliderAt(made: bigint, moves: bigint): number {
  return moves < STOPS ? Number(made) : Number((made * STOPS) / moves);
}

/** The moves made where the slider stands. */
export function sliderMade(value: number, moves: bigint): bigint {
  return moves < STOPS ? BigInt(value) : (moves * BigInt(value)) / STOPS;
}
