// The laws of transfer, for showing at once what the server will judge. Held to the server's rules by the vectors in
// `shared/data/legality.json`; the server's word stands in any case. Judged on the position before the lift.

import {
  type Board,
  type Disk,
  type Ring,
  SPECTRA,
  type Spectrum,
  disksOn,
  nameOf,
  pegNumbers,
  sizeOf,
  spectrumOf,
  topOf,
} from './board';
import { words } from './locale.svelte';

/** What a transfer would come to. */
export type Verdict =
  | 'legal'
  | 'source_empty'
  | 'source_sealed'
  | 'same_peg'
  | 'target_sealed'
  | 'target_full'
  | 'spectrum'
  | 'size';

/** Whether a disk can be lifted from `from` after `made` transfers. */
export function checkLift(board: Board, from: number, made: number): 'legal' | 'source_empty' | 'source_sealed' {
  if (topOf(board, from) === undefined) return 'source_empty';
  return isSealed(board, from, made) ? 'source_sealed' : 'legal';
}

/** The verdict on a transfer of the top disk of `from` to `to` after `made` transfers of this attempt. */
export function check(board: Board, from: number, to: number, made: number): Verdict {
  const lift = checkLift(board, from, made);
  const disk = topOf(board, from);
  if (lift !== 'legal' || disk === undefined) return lift;
  if (from === to) return 'same_peg';
  if (isSealed(board, to, made)) return 'target_sealed';
  if (disksOn(board, to).length >= roomOf(board, to, made)) return 'target_full';
  const below = topOf(board, to);
  if (below === undefined) return 'legal';
  if (spectrumOf(below) !== spectrumOf(disk)) return 'spectrum';
  return sizeOf(below) < sizeOf(disk) ? 'size' : 'legal';
}

/** The pegs that would take the top disk of `from`. */
export function legalTargets(board: Board, from: number, made: number): number[] {
  return pegNumbers(board).filter((to) => check(board, from, to, made) === 'legal');
}

/** Why a transfer is not legal, for people; empty for a legal one. */
export function reasonOf(board: Board, from: number, to: number, made: number): string {
  const [disk, below] = [topOf(board, from), topOf(board, to)];
  const say = words('race').reasons;
  switch (check(board, from, to, made)) {
    case 'legal':
      return '';
    case 'source_empty':
      return say.sourceEmpty(from);
    case 'source_sealed':
      return say.sealed(from);
    case 'same_peg':
      return say.samePeg;
    case 'target_sealed':
      return say.sealed(to);
    case 'target_full':
      return say.full(to);
    case 'spectrum':
      return say.spectrum(named(disk), named(below));
    case 'size':
      return say.size(named(disk), named(below));
  }
}

function named(disk: Disk | undefined): string {
  return disk === undefined ? words('race').aDisk : nameOf(disk);
}

/** Whether no legal transfer exists and harmony does not reign. */
export function isLockout(board: Board, made: number): boolean {
  return !isHarmony(board) && pegNumbers(board).every((from) => legalTargets(board, from, made).length === 0);
}

/** Whether a seal holds that peg. */
export function isSealed(board: Board, peg: number, made: number): boolean {
  return board.rings.some((ring) => ring.peg === peg && ring.collars === undefined && !isOpen(board, ring, made));
}

/** The places of a peg, collars that hold taken off. */
export function roomOf(board: Board, peg: number, made: number): number {
  const holding = board.rings.filter((ring) => ring.peg === peg && !isOpen(board, ring, made));
  const collars = holding.reduce((sum, ring) => sum + (ring.collars ?? 0), 0);
  return Math.max(0, (board.capacities[peg - 1] ?? 0) - collars);
}

/** Whether a ring's condition holds. */
export function isOpen(board: Board, ring: Ring, made: number): boolean {
  return 'moves' in ring.until ? made >= ring.until.moves : towers(board) >= ring.until.towers;
}

/** The spectra that are on the board, in the order of the notation. */
export function activeSpectra(board: Board): Spectrum[] {
  return SPECTRA.filter((spectrum) => tower(board, spectrum).length > 0);
}

/** The number of complete towers. */
export function towers(board: Board): number {
  return activeSpectra(board).filter((spectrum) => isComplete(board, spectrum)).length;
}

/** Whether every disk of the spectrum stands in order, alone, on one peg: its home, if it has one. */
export function isComplete(board: Board, spectrum: Spectrum): boolean {
  const wanted = tower(board, spectrum).join();
  const home = board.homes[spectrum];
  return pegNumbers(board).some((peg) => disksOn(board, peg).join() === wanted && (home ?? peg) === peg);
}

/** Whether every spectrum is a complete tower. */
export function isHarmony(board: Board): boolean {
  return activeSpectra(board).every((spectrum) => isComplete(board, spectrum));
}

/** The number of settled disks: those that already lie where their tower will stand. */
export function settled(board: Board): number {
  return pegNumbers(board).reduce((sum, peg) => sum + settledOn(board, peg), 0);
}

/** The number of settled disks of one peg. */
export function settledOn(board: Board, peg: number): number {
  const disks = disksOn(board, peg);
  const base = disks[0];
  if (base === undefined) return 0;
  const spectrum = spectrumOf(base);
  const wanted = tower(board, spectrum);
  if (wanted.length > (board.capacities[peg - 1] ?? 0) || (board.homes[spectrum] ?? peg) !== peg) return 0;
  const differs = disks.findIndex((disk, index) => disk !== wanted[index]);
  return differs < 0 ? disks.length : differs;
}

/** The whole tower of a spectrum, largest disk first. */
function tower(board: Board, spectrum: Spectrum): Disk[] {
  const disks = board.pegs.flat().filter((disk) => spectrumOf(disk) === spectrum);
  return disks.sort((a, b) => sizeOf(b) - sizeOf(a));
}
