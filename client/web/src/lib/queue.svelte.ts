// A visit to the queue of quick match: the connection, how long one has waited, what is offered, and the race in the end.

import type { QueueClientMessage, QueueServerMessage } from './protocol';
import type { Wanted } from './queue';
import type { Ending } from './room.svelte';
import { LiveSocket, type SocketStatus } from './socket';

/** How it stands with the wait. */
export type Waiting = Extract<QueueServerMessage, { type: 'waiting' }>;

/** A bot that would race. */
export type Offer = Extract<QueueServerMessage, { type: 'offer' }>;

/** Close codes after which connecting again cannot help, and why where no message came before. */
const FINAL: Readonly<Record<number, Ending>> = {
  1000: { code: 'left', message: '' },
  1008: { code: 'not_understood', message: '' },
  4401: { code: 'bad_token', message: '' },
  4403: { code: 'banned', message: '' },
};

/** The place in the queue has gone to a newer page. */
const REPLACED = 4409;

/** One visit to the queue. */
export class Queue {
  status = $state<SocketStatus>('connecting');
  waiting = $state.raw<Waiting | null>(null);
  /** Since when one waits, on this page's monotonic clock. */
  since = $state(0);
  offer = $state.raw<Offer | null>(null);
  /** The offer is taken, and its room is being opened. */
  isAccepted = $state(false);
  /** The code of the race that was found. */
  code = $state<string | null>(null);
  /** A newer page waits in this one's place. */
  isReplaced = $state(false);
  ending = $state.raw<Ending | null>(null);
  /** What the queue said last for a person: `again` where a race came to nothing. */
  notice = $state.raw<Ending | null>(null);

  readonly #socket: LiveSocket<QueueClientMessage, QueueServerMessage>;
  #lastError: Ending | null = null;

  constructor(token: string, wanted: Wanted) {
    this.#socket = new LiveSocket('/ws/v1/queue', {
      hello: () => ({ type: 'join', token, ...wanted }),
      message: (message) => this.#receive(message),
      status: (status) => {
        this.status = status;
        // A place in the queue ends with its connection.
        if (status !== 'open') this.#forget();
      },
      closed: (code) => this.#closed(code),
    });
  }

  /** Takes the bot that was offered. */
  accept(): void {
    this.isAccepted = this.#socket.send({ type: 'accept' });
  }

  /** Lets the offer pass and waits on. */
  decline(): void {
    this.offer = null;
  }

  /** Takes the place back from a newer page. */
  takeBack(): void {
    this.isReplaced = false;
    this.#socket.restart();
  }

  /** Leaves the queue. */
  stop(): void {
    this.#socket.send({ type: 'leave' });
    this.#socket.close();
  }

  #receive(message: QueueServerMessage): void {
    switch (message.type) {
      case 'waiting':
        this.#socket.settled();
        this.waiting = message;
        this.since = performance.now() - message.since_ms;
        return;
      case 'offer':
        this.offer = message;
        this.isAccepted = false;
        return;
      case 'matched':
        this.code = message.code;
        return;
      case 'back':
        this.isAccepted = false;
        this.notice = { code: 'again', message: '' };
        return;
      case 'refused':
        this.isAccepted = false;
        this.notice = { code: message.code, message: message.message };
        return;
      case 'error':
        this.#lastError = { code: message.code, message: message.message };
        return;
      default:
    }
  }

  #closed(code: number): boolean {
    const why = this.#lastError;
    this.#lastError = null;
    if (this.code !== null) return false;
    if (code === REPLACED) {
      this.isReplaced = true;
      return false;
    }
    const final = FINAL[code];
    // A page that does not read is closed as well, and may come back.
    if (final === undefined || why?.code === 'too_slow') {
      if (why !== null) this.notice = why;
      return true;
    }
    this.ending = why ?? final;
    return false;
  }

  #forget(): void {
    this.waiting = null;
    this.offer = null;
    this.isAccepted = false;
  }
}
