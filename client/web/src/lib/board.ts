// Boards as the page knows them: parsed from the notation that the server sends. Knows no rules.

import { words } from './locale.svelte';

/** The letter of a spectrum in the notation. */
export type Spectrum = 'R' | 'S' | 'E' | 'A' | 'V';

/** A disk as in the notation, such as `R7`; it occurs once on a board, so it is its own key. */
export type Disk = `${Spectrum}${number}`;

/** One lock ring, or several collars of one condition on one peg. */
export interface Ring {
  /** The peg, from 1. */
  peg: number;
  /** Places taken off the capacity; absent for a seal. */
  collars?: number;
  /** Open from that many transfers on, or from that many complete towers on. */
  until: { moves: number } | { towers: number };
}

/** A board. Pegs are numbered from 1 wherever they are named, disks lie bottom first. */
export interface Board {
  pegs: readonly (readonly Disk[])[];
  capacities: readonly number[];
  rings: readonly Ring[];
  /** The final peg of a spectrum, where one is named. */
  homes: Readonly<Partial<Record<Spectrum, number>>>;
}

/** All spectra in the order of the notation. */
export const SPECTRA: readonly Spectrum[] = ['R', 'S', 'E', 'A', 'V'];

/** What they are called in the rulebook; `words('race').spectra` in the language that is spoken. */
export const SPECTRUM_NAMES: Readonly<Record<Spectrum, string>> = {
  R: 'Ruby',
  S: 'Sapphire',
  E: 'Emerald',
  A: 'Amber',
  V: 'Violet',
};

/** The spectrum of a disk. */
export function spectrumOf(disk: Disk): Spectrum {
  return disk[0] as Spectrum;
}

/** The size of a disk, 1 to 7. */
export function sizeOf(disk: Disk): number {
  return Number(disk[1]);
}

/** A disk as people say it: `Ruby 7`. */
export function nameOf(disk: Disk): string {
  const { disk: say, spectra } = words('race');
  return say(spectra[spectrumOf(disk)], sizeOf(disk));
}

/** The disks of a peg, bottom first; none if there is no such peg. */
export function disksOn(board: Board, peg: number): readonly Disk[] {
  return board.pegs[peg - 1] ?? [];
}

/** The topmost disk of a peg. */
export function topOf(board: Board, peg: number): Disk | undefined {
  return disksOn(board, peg).at(-1);
}

/** The numbers of all pegs, from 1. */
export function pegNumbers(board: Board): number[] {
  return board.pegs.map((_, index) => index + 1);
}

/** All disks of the board in a stable order, whatever the position. */
export function allDisks(board: Board): Disk[] {
  return board.pegs.flat().sort();
}

/** The board with the top disk of `from` on top of `to`, unjudged. */
export function withTransfer(board: Board, from: number, to: number): Board {
  const disk = topOf(board, from);
  if (disk === undefined) return board;
  const pegs = board.pegs.map((disks, index) => {
    if (index === from - 1) return disks.slice(0, -1);
    return index === to - 1 ? [...disks, disk] : disks;
  });
  return { ...board, pegs };
}

/** Reads `PEGS CAPACITY [RINGS] [HOMES]`. The server has checked it; what is not notation at all throws. */
export function parseBoard(text: string): Board {
  const [pegField, capacityField, ringField = '-', homeField = '-'] = text.split(' ');
  if (!pegField || !capacityField) throw new Error(`no board: ${text}`);
  const pegs = pegField.split('/').map((peg) => (peg.match(/[RSEAV][1-7]/g) ?? []) as Disk[]);
  const capacities = capacityField.split(',').map(Number);
  const homes: Partial<Record<Spectrum, number>> = {};
  for (const home of listed(homeField)) homes[home[0] as Spectrum] = Number(home[1]);
  return {
    pegs,
    capacities: pegs.map((_, index) => capacities[index] ?? capacities[0] ?? 7),
    rings: listed(ringField).map(parseRing),
    homes,
  };
}

/** The notation of a board as it stands, in its one canonical form. */
export function notationOf(board: Board): string {
  const pegs = board.pegs.map((disks) => disks.join('') || '-').join('/');
  const isEqual = board.capacities.every((capacity) => capacity === board.capacities[0]);
  const capacity = isEqual ? String(board.capacities[0]) : board.capacities.join(',');
  const rings = board.rings.map(ringText).join(',');
  const homes = SPECTRA.flatMap((spectrum) => {
    const home = board.homes[spectrum];
    return home === undefined ? [] : [`${spectrum}${home}`];
  }).join(',');
  if (homes !== '') return `${pegs} ${capacity} ${rings || '-'} ${homes}`;
  return rings === '' ? `${pegs} ${capacity}` : `${pegs} ${capacity} ${rings}`;
}

function ringText({ peg, collars, until }: Ring): string {
  const what = collars === undefined ? 's' : `c${collars}`;
  return `${peg}${what}@${'moves' in until ? `m${until.moves}` : `t${until.towers}`}`;
}

function listed(field: string): string[] {
  return field === '-' ? [] : field.split(',');
}

function parseRing(text: string): Ring {
  const found = /^(\d)(s|c(\d+))@([mt])(\d+)$/.exec(text);
  if (!found) throw new Error(`no lock ring: ${text}`);
  const [, peg, , collars, unit, count] = found;
  const until = unit === 'm' ? { moves: Number(count) } : { towers: Number(count) };
  return { peg: Number(peg), until, ...(collars === undefined ? {} : { collars: Number(collars) }) };
}
