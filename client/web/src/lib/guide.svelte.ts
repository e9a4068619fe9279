// Help on a board that is played alone: a hint, and the way played out as the player's own acts. It acts only through the
// room, so that the server judges each of its acts like any other.

import { ApiError, messageOf } from './api';
import { findWay } from './api/solo';
import { nameOf, topOf } from './board';
import { markHelped } from './helped';
import { words } from './locale.svelte';
import type { Way } from './protocol';
import type { Room } from './room.svelte';
import { type Step, actOf, hintOf, isFresh, sayHint, stepsOf } from './way';

/** The pace at which a way is played: after a lift, and after a placement. */
const LIFT_MS = 350;
const PLACE_MS = 500;

/** An answer that is late for acts under way is asked for again, so often and after so long. */
const TRIES = 6;
const AGAIN_MS = 150;

/** One player's help in one room. */
export class Guide {
  /** An answer is awaited. */
  isAsking = $state(false);
  /** The way is being played. */
  isShowing = $state(false);
  /** The accepted acts at which harmony could no longer be reached; `null` while nothing speaks against it. */
  lostAt = $state<number | null>(null);
  /** The accepted acts at which it was asked whether the board is still lost; one that cannot be answered is not asked on. */
  #checkedAt = 0;
  #way = $state.raw<Way | null>(null);
  readonly #room: Room;
  readonly #token: () => string | null;
  #left: Step[] = [];
  /** The accepted acts that the way expects before its next one. */
  #ply = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;
  /** What was said last, and the accepted acts at which: once there are more it is stale. */
  #said: { text: string; ply: number } | null = null;

  constructor(room: Room, token: () => string | null) {
    this.#room = room;
    this.#token = token;
  }

  /** The transfer to point at, while it is the next one. */
  get hint(): Step | null {
    const { own } = this.#room;
    return this.#way === null || own === null ? null : hintOf(this.#way, own);
  }

  /** Points at the first transfer of a shortest way. */
  async ask(): Promise<void> {
    const steps = await this.#find();
    const { own } = this.#room;
    if (steps === null || own === null || this.#isInTheWay(steps)) return;
    this.#say(sayHint(own.board, steps));
  }

  /** Plays a shortest way to its end. */
  async show(): Promise<void> {
    const steps = await this.#find();
    const { own, view } = this.#room;
    if (steps === null || own === null || this.#isInTheWay(steps)) return;
    const roundId = view?.round?.round_id;
    if (roundId !== undefined) markHelped(roundId);
    [this.#left, this.#ply, this.isShowing] = [[...steps], own.ply, true];
    this.#say(words('alone').help.shown);
    this.#timer = setTimeout(() => this.#step(), LIFT_MS);
  }

  /** Stops playing; the board stays as it is. */
  stop(): void {
    clearTimeout(this.#timer);
    if (!this.isShowing) return;
    this.isShowing = false;
    this.#way = null;
    this.#unsay();
    if (this.#room.canAct) this.#say(words('alone').help.stopped);
  }

  /** Looks whether the board has moved on: what was said of it is taken back, and whether it is still lost is asked. */
  follow(): void {
    const { own } = this.#room;
    if (own === null || this.isShowing || this.isAsking) return;
    if (this.#said !== null && this.#said.ply !== own.ply && this.hint === null) this.#unsay();
    if (this.lostAt === null || this.lostAt === own.ply || this.#checkedAt === own.ply || own.held !== null) return;
    this.#checkedAt = own.ply;
    void this.#check();
  }

  /** The player has gone elsewhere. */
  leave(): void {
    this.#isGone = true;
    clearTimeout(this.#timer);
  }

  async #check(): Promise<void> {
    const steps = await this.#find();
    if (steps === null) return;
    this.#way = null;
    this.#say(words('alone').help.reachable(steps.length));
  }

  /** The transfers of a way that fits the board; `null` where there is none, which has been said. */
  async #find(): Promise<Step[] | null> {
    const token = this.#token();
    if (this.isAsking || this.isShowing || token === null) return null;
    this.isAsking = true;
    try {
      const way = await this.#fresh(token);
      if (way === null || this.#isGone) return null;
      const steps = stepsOf(way);
      this.#way = way;
      this.lostAt = steps === null ? way.ply : null;
      if (steps === null) this.#unsay();
      return steps;
    } catch (failure) {
      if (!this.#isGone) this.#room.say('error', this.#whyNot(failure));
      return null;
    } finally {
      this.isAsking = false;
    }
  }

  /** A way that begins where the own board stands, with every act under way done. */
  async #fresh(token: string): Promise<Way | null> {
    for (let tries = 1; tries <= TRIES && !this.#isGone; tries += 1) {
      const way = await findWay(token, this.#room.code);
      const { own } = this.#room;
      if (own === null || this.#isGone) return null;
      if (isFresh(way, own)) return way;
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
    if (!this.#isGone) this.#room.say('info', words('alone').help.changed);
    return null;
  }

  #whyNot(failure: unknown): string {
    if (!(failure instanceof ApiError) || failure.status !== 503) return messageOf(failure);
    return words('alone').help.tooLong(messageOf(failure));
  }

  /** Whether the hand holds another disk than the way begins with, which has been said. */
  #isInTheWay([first]: readonly Step[]): boolean {
    const { own } = this.#room;
    if (own === null || own.held === null || first === undefined || own.held === first[0]) return false;
    const disk = topOf(own.board, own.held);
    this.#way = null;
    const t = words('alone').help;
    this.#say(t.placeFirst(disk === undefined ? t.diskInHand : nameOf(disk)));
    return true;
  }

  #step(): void {
    const { own } = this.#room;
    const step = this.#left[0];
    const act = own === null || step === undefined || own.ply !== this.#ply ? null : actOf(step, own);
    if (act === null || this.#room.act(act)?.kind !== 'deed') {
      this.stop();
      return;
    }
    this.#ply = this.#room.own?.ply ?? 0;
    if (act.type === 'place') this.#left.shift();
    if (this.#left.length === 0) this.stop();
    else this.#timer = setTimeout(() => this.#step(), act.type === 'place' ? PLACE_MS : LIFT_MS);
  }

  #say(text: string): void {
    this.#said = { text, ply: this.#room.own?.ply ?? 0 };
    this.#room.say('info', text);
  }

  #unsay(): void {
    if (this.#room.notice?.text === this.#said?.text) this.#room.notice = null;
    this.#said = null;
  }
}
