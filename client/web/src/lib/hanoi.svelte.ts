// A classic tower that plays itself out at some speed, and a person's own try at one.

import { type Move, type Peg, type Position, type Refusal, type Tower, check, disksOn, hintAt, isTowerOn, movesLeft, withMove } from './classic';
import { sayCount, sayRefusal } from './legend';
import { words } from './locale.svelte';

/** Moves a second. */
export const SPEEDS: readonly number[] = [0.5, 1, 2, 4, 8, 16, 64, 1e3, 1e6, 1e9];

/** Moves made, from 0 to all, growing with time. It runs only inside a component, and stops with it. */
export class Playing {
  made = $state.raw(0n);
  speed = $state(2);
  isPlaying = $state(false);
  readonly #moves: () => bigint;

  constructor(moves: () => bigint, made = 0n) {
    this.#moves = moves;
    this.made = made;
    $effect(() => (this.isPlaying ? this.#run() : undefined));
  }

  /** Plays, from the start again where it has come to its end; or pauses. */
  toggle(): void {
    if (!this.isPlaying && this.made >= this.#moves()) this.made = 0n;
    this.isPlaying = !this.isPlaying && this.#moves() > 0n;
  }

  /** Stands still after so many moves. */
  seek(made: bigint): void {
    const moves = this.#moves();
    this.isPlaying = false;
    this.made = made < 0n ? 0n : made > moves ? moves : made;
  }

  /** The next speed up or down. */
  shift(direction: 1 | -1): void {
    this.speed = SPEEDS[SPEEDS.indexOf(this.speed) + direction] ?? this.speed;
  }

  #run(): () => void {
    let last = performance.now();
    // The part of the next move that is over.
    let part = 0;
    const tick = (now: number): void => {
      part += (Math.max(0, now - last) * this.speed) / 1_000;
      last = now;
      const whole = Math.floor(part);
      part -= whole;
      const made = this.made + BigInt(whole);
      this.made = made < this.#moves() ? made : this.#moves();
      if (this.made >= this.#moves()) this.isPlaying = false;
      else frame = requestAnimationFrame(tick);
    };
    let frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }
}

/** A person's own try at a tower, from any position. */
export class Attempt {
  position = $state.raw<Position>([]);
  /** The source of the disk in the hand. */
  held = $state<Peg | null>(null);
  made = $state(0);
  /** The hint, while it is shown. */
  hint = $state.raw<Move | null>(null);
  /** The last thing to be said: of a move that is not allowed, or of the end. */
  said = $state('');
  /** A touch that was refused: the peg, and which touch it was. */
  refused = $state.raw<{ peg: Peg; id: number } | null>(null);
  readonly tower: Tower;
  /** How many moves the try needed at the least, from its beginning. */
  readonly fewest: bigint;
  #touches = 0;

  constructor(tower: Tower, position: Position) {
    this.tower = tower;
    this.position = position;
    this.fewest = movesLeft(position, tower.target);
  }

  get left(): bigint {
    return movesLeft(this.position, this.tower.target);
  }

  get isDone(): boolean {
    return isTowerOn(this.position, this.tower.target);
  }

  /** Lifts from a peg, or places on it; on its own peg the disk is put back. */
  touch(peg: Peg): void {
    this.said = '';
    const [disk] = disksOn(this.position, peg);
    if (this.held === peg) {
      this.said = words('hanoi').hand.back(disk as number, peg);
      this.held = null;
    } else if (this.held !== null) {
      this.#play(this.held, peg);
    } else if (disk === undefined) {
      this.#refuse({ why: 'empty', peg }, peg);
    } else {
      this.said = words('hanoi').hand.lifted(disk, peg);
      this.held = peg;
    }
  }

  /** Puts the disk in the hand back. */
  putBack(): void {
    if (this.held !== null) this.touch(this.held);
  }

  /** Shows the best move. */
  ask(): void {
    this.hint = hintAt(this.position, this.tower.target);
    const { hint } = this;
    this.said = hint === null ? this.#ending() : words('hanoi').hand.hinted(hint.disk, hint.from, hint.to);
  }

  /** Makes the best move. */
  follow(): void {
    const move = hintAt(this.position, this.tower.target);
    if (move === null) this.said = this.#ending();
    else this.#play(move.from, move.to);
  }

  #play(from: Peg, to: Peg): void {
    const told = check(this.position, from, to);
    if ('why' in told) {
      this.#refuse(told, to);
      return;
    }
    this.position = withMove(this.position, told);
    this.made += 1;
    this.held = null;
    this.hint = null;
    this.said = this.isDone ? this.#ending() : words('hanoi').hand.placed(told.disk, to);
  }

  #refuse(refusal: Refusal, peg: Peg): void {
    this.#touches += 1;
    this.refused = { peg, id: this.#touches };
    this.said = sayRefusal(refusal);
  }

  #ending(): string {
    const more = BigInt(this.made) - this.fewest;
    const t = words('hanoi').hand;
    return t.done(this.tower.target, this.made, more <= 0n ? t.fewest : t.needless(sayCount(more)));
  }
}
