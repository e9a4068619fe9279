// A room as this page lives it: the connection, the folded state, the acts under way. Components read it and call it;
// nothing else talks to the server about a room.

import { type RaceClock, NO_CLOCK, clockOf } from './clock';
import { Acts } from './acts';
import { withDistance } from './curves';
import { type Racer, deedOf, fold, foldRacer, racersOf, withPlay } from './fold';
import { SHOWN_MS, type Shown, emoteWords, muting } from './emotes.svelte';
import { isHarmony } from './legality';
import { words } from './locale.svelte';
import { type Act, type Deed, type Forecast, type Play, houseOf } from './play';
import { randomHex } from './api';
import type { ClientMessage, CurveView, Emote, PhaseView, Role, ServerMessage, View, WireEvent } from './protocol';
import { RoomSocket, type SocketStatus } from './socket';
import { nameAt, sayEvent } from './speech';
import { type Told, tellAct } from './telling';
import { sayProblem } from './words';

/** A line for the player: what went wrong, or what happened. */
export interface Notice {
  kind: 'error' | 'info';
  /** In the language that is spoken when it is read. */
  readonly text: string;
  /** Grows, so that the same line twice is noticed twice. */
  id: number;
}

/** Why there is no room to show: `sayProblem` has words for it. */
export interface Ending {
  code: string;
  /** The server's own sentence; empty where none came. */
  message: string;
}

/** The code by which somebody is refused who wants to watch the own race. */
const RACING = 'racing';

/** The phases in which a round is at work. */
const AT_WORK: readonly PhaseView[] = ['dealing', 'countdown', 'racing', 'paused'];

/** After a refusal that can be tried again: so long, and then so many acts at a time, within the server's pace. */
const RESEND_MS = 300;
const RESEND_MOST = 4;

/** Close codes after which connecting again cannot help, and why where no message came before. */
const FINAL: Readonly<Record<number, Ending>> = {
  1000: { code: 'closed', message: '' },
  4401: { code: 'bad_token', message: '' },
  4403: { code: 'refused', message: '' },
  4410: { code: 'no_opponent', message: '' },
  4404: { code: 'no_such_room', message: '' },
};

/** The seat has gone to a newer connection, and this room has no place for those who watch. */
const REPLACED = 4409;

/** As much of a room as a race is played on: a board without a server has that, too. */
export type RaceRoom = Pick<
  Room,
  'seat' | 'own' | 'ownRacer' | 'racers' | 'canAct' | 'act' | 'touch' | 'putBack' | 'notice' | 'refusedPeg' | 'clock'
>;

/** One visit to a room. */
export class Room {
  /** The code in the address. */
  readonly code: string;
  status = $state<SocketStatus>('connecting');
  /** The server has answered this connection's hello. */
  isWelcome = $state(false);
  /** When a lost connection is tried again, on this page's monotonic clock. */
  retryAt = $state(0);
  view = $state.raw<View | null>(null);
  seat = $state<number | null>(null);
  role = $state<Role>('player');
  racers = $state.raw<readonly Racer[]>([]);
  clock = $state.raw<RaceClock>(NO_CLOCK);
  /** The own play with all acts under way done. */
  own = $state.raw<Play | null>(null);
  notice = $state.raw<Notice | null>(null);
  /** The last thing to be read out to those who do not see the page. */
  spoken = $state('');
  /** A newer page has the seat: this one only watches. */
  isReplaced = $state(false);
  /** Whoever races elsewhere is told nothing here until they are done: what is shown is not how it stands. */
  isHushed = $state(false);
  ending = $state.raw<Ending | null>(null);
  /** What players show at the moment. */
  emotes = $state.raw<readonly Shown[]>([]);
  /** Of who watches: each racer's distance to harmony so far. */
  curves = $state.raw<readonly CurveView[]>([]);
  /** Of who watches: how many do. */
  viewers = $state<number | null>(null);
  /** The peg of the last refused placement, to shake. */
  refusedPeg = $state.raw<{ peg: number; id: number } | null>(null);

  /** Told every own deed that the server has confirmed, with the play before and after it. */
  onDeed: ((before: Play, deed: Deed, after: Play) => void) | null = null;

  readonly #token: string;
  readonly #socket: RoomSocket;
  #seq = 0;
  #acts: Acts | null = null;
  #roundId: string | null = null;
  #notices = 0;
  /** Set while acts are held back to be sent again. */
  #resend: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(code: string, token: string, role: Role) {
    this.code = code;
    this.#token = token;
    this.role = role;
    this.#socket = new RoomSocket(code, {
      // Once replaced, this page watches: a hello as a player would take the seat back.
      hello: () => ({ type: 'hello', token: this.#token, role: this.isReplaced ? 'spectator' : this.role }),
      message: (message) => this.#receive(message),
      status: (status, retryInMs) => {
        this.status = status;
        this.isWelcome = false;
        this.retryAt = performance.now() + retryInMs;
      },
      closed: (code) => this.#closed(code),
    });
  }

  /** The own seat's place at the table, where this page plays. */
  get isPlaying(): boolean {
    return this.role === 'player' && this.seat !== null && !this.isReplaced;
  }

  /** The own racer in the round at work. */
  get ownRacer(): Racer | undefined {
    return this.racers.find((racer) => racer.seat === this.seat);
  }

  /** Whether acts make sense now. */
  get canAct(): boolean {
    const racer = this.ownRacer;
    if (!this.isPlaying || this.view?.phase !== 'racing' || this.own === null || racer === undefined) return false;
    return racer.finish === null && !racer.gaveUp && !isHarmony(this.own.board) && this.isWelcome;
  }

  /** Lifts from or places on a peg, whichever the hand calls for. */
  touch(peg: number): void {
    if (this.own === null) return;
    this.act(this.own.held === null ? { type: 'lift', peg } : { type: 'place', peg });
  }

  /** Puts the held disk back where the rules allow it. */
  putBack(): void {
    if (this.own?.held != null) this.act({ type: 'place', peg: this.own.held });
  }

  /** Does an act: shown at once, sent, and put right if the server says so. */
  act(act: Act): Forecast | null {
    if (!this.canAct || this.#acts === null || this.own === null) return null;
    const before = this.own;
    const forecast = this.#acts.submit(act);
    if (forecast.kind !== 'refused') {
      this.#showOwn();
      this.#flush();
    }
    this.#tell(tellAct(before, act, forecast), forecast.kind === 'deed');
    return forecast;
  }

  #tell({ error, said, shaken }: Told, isDone: boolean): void {
    if (error !== null) this.say('error', error);
    else if (isDone) [this.notice, this.spoken] = [this.notice?.kind === 'error' ? null : this.notice, said];
    if (shaken !== null) this.#shake(shaken);
  }

  /** Ready for the round, or not any more. */
  ready(ready: boolean): void {
    this.#request({ type: 'ready', ready });
  }

  /** A vote for a rematch. */
  rematch(): void {
    this.#request({ type: 'rematch' });
  }

  /** Gives the round up and keeps the seat. */
  giveUp(): void {
    this.#request({ type: 'give_up' });
  }

  /** Of the host: starts with those who are connected. */
  start(): void {
    this.#request({ type: 'start' });
  }

  /** Of the host: takes a player's seat away for good. */
  kick(seat: number, player: string): void {
    this.#request({ type: 'kick', seat, player });
  }

  /** Of the host: sends everybody away. */
  closeRoom(): void {
    this.#request({ type: 'close' });
  }

  /** Of the host: makes another player the host. */
  handOver(seat: number, player: string): void {
    this.#request({ type: 'hand_over', seat, player });
  }

  /** Shows the others at the table something. */
  emote(emote: Emote): void {
    this.#request({ type: 'emote', emote });
  }

  /** Leaves the room for good. */
  leave(): void {
    if (this.isPlaying) this.#socket.send({ type: 'leave' });
    this.stop();
  }

  /** Watches where no seat can be had. */
  watch(): void {
    this.role = 'spectator';
    this.ending = null;
    this.#isStopped = false;
    this.#socket.restart();
  }

  /** Takes the seat back from a newer page. */
  takeBack(): void {
    this.isReplaced = false;
    this.#socket.restart();
  }

  /** Ends the connection; the seat stays as the server keeps it. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#resend);
    this.#socket.close();
  }

  /** A line for the player; a function makes it anew when another language is chosen. */
  say(kind: Notice['kind'], line: string | (() => string)): void {
    const say = typeof line === 'string' ? () => line : line;
    this.notice = {
      kind,
      get text() {
        return say();
      },
      id: ++this.#notices,
    };
    this.spoken = say();
  }

  #sayProblem({ code, message }: Ending): void {
    this.say('error', () => sayProblem(code, message));
  }

  #shake(peg: number): void {
    this.refusedPeg = { peg, id: ++this.#notices };
  }

  #request(message: ClientMessage): void {
    if (!this.#socket.send(message)) this.#sayProblem({ code: 'not_connected', message: '' });
  }

  #receive(message: ServerMessage): void {
    if (this.#isStopped) return;
    switch (message.type) {
      case 'welcome':
        this.#socket.settled();
        this.isWelcome = true;
        this.seat = message.seat;
        if (message.state !== null) this.#takeState(message.seq, message.state, message.n);
        this.#giveNonce();
        return;
      case 'snapshot':
      case 'start':
        this.#takeState(message.seq, message.state);
        return;
      case 'refused':
        this.#refused(message.n, message.next, message.code, message.message);
        return;
      case 'replaced':
        this.isReplaced = true;
        // From the commitment on its player is at work.
        this.isHushed = AT_WORK.includes(this.view?.phase ?? 'lobby');
        return;
      case 'emote':
        this.#emoted(message.seat, message.emote);
        return;
      case 'distance':
        this.curves = withDistance(this.curves, message.seat, message.clock_ms, message.to_go);
        return;
      case 'watching':
        this.viewers = message.viewers;
        return;
      case 'error':
        this.#lastError = { code: message.code, message: message.message };
        this.#sayProblem(this.#lastError);
        return;
      default:
        if ('seq' in message) this.#event(message);
    }
  }

  #emoted(seat: number, emote: Emote): void {
    if (seat !== this.seat && muting.isMuted) return;
    const shown = { seat, emote, id: ++this.#notices };
    this.emotes = [...this.emotes, shown];
    setTimeout(() => (this.emotes = this.emotes.filter(({ id }) => id !== shown.id)), SHOWN_MS);
    if (seat !== this.seat) this.spoken = `${nameAt(this.view, seat)}: ${emoteWords(emote)}`;
  }

  #takeState(seq: number, state: View, n?: number): void {
    const now = performance.now();
    this.#seq = seq;
    this.view = state;
    this.isHushed = false;
    this.racers = racersOf(state.round);
    this.curves = state.round?.curves ?? [];
    this.clock = clockOf(state.round, state.phase === 'paused', now);
    const play = this.ownRacer?.play ?? null;
    const roundId = state.round?.round_id ?? null;
    if (play === null) {
      this.#acts = null;
    } else if (this.#acts !== null && this.#roundId === roundId) {
      // What was done while the line was lost has been done all the same.
      for (const { before, deed, after } of this.#acts.rebase(play, n ?? this.#acts.judged)) this.onDeed?.(before, deed, after);
    } else {
      this.#acts = new Acts(play, n ?? this.#judged, houseOf(state.options));
    }
    if (n !== undefined) this.#judged = n;
    this.#roundId = roundId;
    this.#showOwn();
    this.#flush();
  }

  /** The last judged act of the own seat, kept over the rounds of a room. */
  #judged = 0;

  #event(event: WireEvent): void {
    if (this.view === null || event.seq <= this.#seq) return;
    if (event.seq !== this.#seq + 1) {
      // Something was missed: everything anew.
      this.#socket.restart();
      return;
    }
    this.#seq = event.seq;
    const before = this.view;
    this.view = fold(before, event);
    this.racers = this.racers.map((racer) => foldRacer(racer, event));
    this.#follow(event);
    const acted = deedOf(event);
    if (acted !== null && acted.seat === this.seat) {
      this.#judged = Math.max(this.#judged, acted.n);
      this.#confirm(acted.n, acted.deed);
      this.#showOwn();
    }
    const words = sayEvent(event, this.view, this.seat);
    if (words !== '') this.spoken = words;
  }

  #confirm(n: number, deed: Deed): void {
    if (this.#acts === null) return;
    const before = this.#acts.confirmed;
    this.#acts.confirm(n, deed);
    this.onDeed?.(before, deed, this.#acts.confirmed);
  }

  #follow(event: WireEvent): void {
    const now = performance.now();
    switch (event.type) {
      case 'committed':
        this.racers = racersOf(this.view?.round ?? null);
        this.curves = [];
        this.clock = NO_CLOCK;
        this.#acts = null;
        this.own = null;
        this.notice = null;
        this.#giveNonce();
        return;
      case 'countdown_started':
        this.clock = { startsAt: now + event.in_ms, shownAt: now + event.in_ms, stoppedMs: null };
        return;
      case 'left':
        if (this.view?.phase === 'dealing') this.racers = racersOf(this.view.round);
        return;
      case 'round_dropped':
        this.racers = [];
        this.clock = NO_CLOCK;
        this.#acts = null;
        this.own = null;
        this.say('info', () => words('room').page.dropped);
        return;
      case 'paused':
        this.clock = { ...this.clock, shownAt: null, stoppedMs: this.#elapsed(now) };
        return;
      case 'resumed':
        this.clock = { ...this.clock, shownAt: now + event.in_ms };
        return;
      default:
    }
  }

  /** The round to which this page has given its part of the seed. */
  #noncedRound: string | null = null;

  /** Gives this page's part of the seed, once a round: also where the page comes in after the round has begun. */
  #giveNonce(): void {
    const roundId = this.view?.round?.round_id ?? null;
    // Alone nobody's part is waited for.
    if (this.view?.options.solo !== undefined) return;
    if (!this.isPlaying || this.view?.phase !== 'dealing' || roundId === this.#noncedRound) return;
    this.#noncedRound = roundId;
    this.#socket.send({ type: 'nonce', nonce: randomHex(16) });
  }

  #elapsed(now: number): number {
    const { startsAt, stoppedMs } = this.clock;
    return stoppedMs ?? (startsAt === null ? 0 : Math.max(0, now - startsAt));
  }

  #refused(n: number | undefined, next: number | undefined, code: string, message: string): void {
    // A page that was loaded anew does not know that it gave its part of the seed.
    if (n === undefined && code === 'not_now' && this.view?.phase === 'dealing') return;
    // Whoever was in before and races elsewhere is told more once that is over: the page waits for it. A connection
    // that was refused for it comes again.
    if (n === undefined && code === RACING && this.view !== null) {
      this.isHushed = true;
      this.#isRacingElsewhere = !this.isWelcome;
      return;
    }
    if (n === undefined || this.#acts === null) {
      this.#lastError = { code, message };
      this.#sayProblem(this.#lastError);
      return;
    }
    if (this.#acts.refuse(n, code, next)) {
      this.#holdBack();
      return;
    }
    this.#judged = Math.max(this.#judged, code === 'already_judged' ? 0 : n);
    this.#showOwn();
    // A void act behind a refused one needs no words of its own.
    if (code !== 'stale' && code !== 'already_judged') this.#sayProblem({ code, message });
  }

  /** Set from the refusal of who races elsewhere to the end of its connection. */
  #isRacingElsewhere = false;

  /** What was said last before a connection was closed: it tells why better than a code. */
  #lastError: Ending | null = null;

  #closed(code: number): boolean {
    const why = this.#lastError;
    this.#lastError = null;
    if (code === REPLACED) {
      this.isReplaced = true;
      return false;
    }
    if (this.#isRacingElsewhere) {
      this.#isRacingElsewhere = false;
      return true;
    }
    const final = FINAL[code];
    if (final === undefined) return true;
    this.ending = code === 1000 ? final : (why ?? final);
    return false;
  }

  #flush(): void {
    if (!this.isWelcome || this.isReplaced || this.#resend !== undefined) return;
    for (const message of this.#acts?.unsent() ?? []) this.#socket.send(message);
  }

  /** Sends acts again in a while, a few at a time, until none is left. */
  #holdBack(): void {
    clearTimeout(this.#resend);
    this.#resend = setTimeout(() => {
      this.#resend = undefined;
      if (!this.isWelcome || this.isReplaced) return;
      for (const message of this.#acts?.unsent(RESEND_MOST) ?? []) this.#socket.send(message);
      if (this.#acts?.isBehind === true) this.#holdBack();
    }, RESEND_MS);
  }

  /** Shows the own play with all acts under way done; the racer's figures go with it. */
  #showOwn(): void {
    const own = this.#acts?.shown() ?? null;
    this.own = own;
    if (own === null) return;
    this.racers = this.racers.map((racer) => (racer.seat === this.seat ? withPlay(racer, own) : racer));
  }
}
