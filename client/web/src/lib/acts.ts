// Acts under way: what the server has confirmed, what it has yet to judge, and the play that both come to.
// Nothing here knows the socket; the owner sends what `unsent` gives.

import { notationOf } from './board';
import { words } from './locale.svelte';
import { type Act, type Deed, type Forecast, type House, type Play, applied, judge } from './play';
import type { ClientMessage } from './protocol';

/** An act that the server has not judged yet. */
interface Pending {
  n: number;
  ply: number;
  act: Act;
  sent: boolean;
}

/** What an act did, and the play before and after it. */
export interface Done {
  before: Play;
  deed: Deed;
  after: Play;
}

/** At most so many acts wait for the server's word; more would only pile up behind a dead line. */
export const PENDING_MAX = 64;

/** Refusals that do not use up the act's running number: the act can be sent again. */
const RETRIED: ReadonlySet<string> = new Set(['rate_limited', 'out_of_order', 'unavailable', 'busy']);

/** The acts of the own seat in one round. */
export class Acts {
  #confirmed: Play;
  #pending: Pending[] = [];
  #last: number;
  readonly #house: House;

  /** `n` is the last act that the server has judged of this seat. */
  constructor(confirmed: Play, n: number, house: House) {
    this.#confirmed = confirmed;
    this.#last = n;
    this.#house = house;
  }

  /** The play as the server has confirmed it. */
  get confirmed(): Play {
    return this.#confirmed;
  }

  /** The running number of the last act that was judged. */
  get judged(): number {
    return this.#last;
  }

  /** Whether some act has yet to be sent. */
  get isBehind(): boolean {
    return this.#pending.some(({ sent }) => !sent);
  }

  /** How many acts wait for the server's word. */
  get underWay(): number {
    return this.#pending.length;
  }

  /** The play as it will stand when everything under way comes out as expected. */
  shown(): Play {
    let play = this.#confirmed;
    for (const { act } of this.#pending) {
      const forecast = judge(play, act, this.#house);
      // Behind an act that only the server can judge, nothing more can be foreseen.
      if (forecast.kind === 'unknown') break;
      if (forecast.kind === 'deed') play = applied(play, forecast.deed);
    }
    return play;
  }

  /** Whether an act under way has an outcome that only the server knows: until then no other act makes sense. */
  get isBlind(): boolean {
    let play = this.#confirmed;
    for (const { act } of this.#pending) {
      const forecast = judge(play, act, this.#house);
      if (forecast.kind === 'unknown') return true;
      if (forecast.kind === 'deed') play = applied(play, forecast.deed);
    }
    return false;
  }

  /** Takes an act up. Whatever the rules refuse without effect is not even sent. */
  submit(act: Act): Forecast {
    if (this.isBlind) return { kind: 'refused', code: 'waiting', message: words('race').refusals.undoUnderWay };
    if (this.#pending.length >= PENDING_MAX) {
      return { kind: 'refused', code: 'waiting', message: words('race').refusals.noAnswer };
    }
    const play = this.shown();
    const forecast = judge(play, act, this.#house);
    if (forecast.kind !== 'refused') {
      const n = this.#last + this.#pending.length + 1;
      this.#pending.push({ n, ply: play.ply, act, sent: false });
    }
    return forecast;
  }

  /** The messages that have yet to be sent, at most `most` of them; they count as sent from now on. */
  unsent(most = PENDING_MAX): ClientMessage[] {
    const waiting = this.#pending.filter(({ sent }) => !sent).slice(0, most);
    for (const pending of waiting) pending.sent = true;
    return waiting.map(({ n, ply, act }) => ({ ...act, n, ply }));
  }

  /** The server has judged act `n` of this seat, and this is what it did. */
  confirm(n: number, deed: Deed): void {
    this.#confirmed = applied(this.#confirmed, deed);
    this.#settle(n);
  }

  /** The server refused act `n`. True if it will be sent again, by what `unsent` then gives. */
  refuse(n: number, code: string, next?: number): boolean {
    if (!RETRIED.has(code)) {
      this.#settle(n);
      return false;
    }
    if (!this.#pending.some((pending) => pending.n === n)) return false;
    if (next !== undefined) this.#renumber(next);
    for (const pending of this.#pending) if (pending.n >= n || next !== undefined) pending.sent = false;
    return true;
  }

  /**
   * A new connection: the server's state and the last act that it has judged. Acts it has not seen are sent again. What
   * those did that it has judged meanwhile is returned, where that can be told.
   */
  rebase(confirmed: Play, n: number): Done[] {
    const done = this.#doneMeanwhile(confirmed, n);
    this.#confirmed = confirmed;
    this.#last = n;
    this.#pending = this.#pending.filter((pending) => pending.n > n);
    if (this.#pending[0] !== undefined && this.#pending[0].n !== n + 1) this.#pending = [];
    for (const pending of this.#pending) pending.sent = false;
    return done;
  }

  /** The deeds of the acts up to `n`, if they lead to where the server says that the play stands. */
  #doneMeanwhile(stands: Play, n: number): Done[] {
    const done: Done[] = [];
    let play = this.#confirmed;
    for (const pending of this.#pending.filter((pending) => pending.n <= n)) {
      const forecast = judge(play, pending.act, this.#house);
      if (forecast.kind === 'unknown') return [];
      if (forecast.kind === 'refused') continue;
      const after = applied(play, forecast.deed);
      done.push({ before: play, deed: forecast.deed, after });
      play = after;
    }
    return isSamePlace(play, stands) ? done : [];
  }

  #settle(n: number): void {
    this.#last = Math.max(this.#last, n);
    this.#pending = this.#pending.filter((pending) => pending.n > n);
  }

  /** The server waits for another number than the one that comes first here. */
  #renumber(next: number): void {
    this.#settle(next - 1);
    this.#last = next - 1;
    this.#pending.forEach((pending, index) => {
      pending.n = next + index;
    });
  }
}

/** Whether two plays of a board stand at the same place, whatever is known of the way there. */
function isSamePlace(one: Play, other: Play): boolean {
  const placeOf = ({ ply, held, errors, penalties, board }: Play): string => [ply, held, errors, penalties, notationOf(board)].join();
  return placeOf(one) === placeOf(other);
}
