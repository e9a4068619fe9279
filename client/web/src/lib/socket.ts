// The connection to a room or to the queue: one WebSocket after another. It reconnects by itself with backoff and jitter, says how it
// stands, and knows nothing of what the messages mean.

import type { ClientMessage, ServerMessage } from './protocol';

/** How the connection stands. `lost` waits for its next try. */
export type SocketStatus = 'connecting' | 'open' | 'lost' | 'closed';

/** What the owner of a socket is told. */
export interface SocketEvents<Says = ClientMessage, Hears = ServerMessage> {
  /** The first message of each connection. */
  hello: () => Says;
  message: (message: Hears) => void;
  status: (status: SocketStatus, retryInMs: number) => void;
  /** The server has closed the connection. False if trying again cannot help. */
  closed: (code: number, reason: string) => boolean;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 8_000;
const SUBPROTOCOL = 'sprint.v1';

/** How long to wait before try number `attempt`, from 0: doubling to a limit, and a random half of it. */
export function retryDelayMs(attempt: number, random: number): number {
  const full = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt);
  return Math.round(full / 2 + (full / 2) * random);
}

/** A connection that comes back by itself, until it is closed for good. */
export class LiveSocket<Says, Hears> {
  readonly #url: string;
  readonly #events: SocketEvents<Says, Hears>;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** `path` is an address on this page's own server. */
  constructor(path: string, events: SocketEvents<Says, Hears>) {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    this.#url = `${scheme}//${location.host}${path}`;
    this.#events = events;
    addEventListener('online', this.#now);
    addEventListener('offline', this.#lost);
    document.addEventListener('visibilitychange', this.#now);
    this.#connect();
  }

  /** Sends a message; false if there is no open connection. */
  send(message: Says): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** The server has accepted the hello: the next loss starts with a short wait again. */
  settled(): void {
    this.#attempt = 0;
  }

  /** Leaves this connection and makes a new one at once. */
  restart(): void {
    this.#drop();
    this.#connect();
  }

  /** Closes for good. */
  close(): void {
    this.#isClosed = true;
    removeEventListener('online', this.#now);
    removeEventListener('offline', this.#lost);
    document.removeEventListener('visibilitychange', this.#now);
    this.#drop();
    this.#events.status('closed', 0);
  }

  #connect(): void {
    if (this.#isClosed) return;
    this.#events.status('connecting', 0);
    const socket = new WebSocket(this.#url, SUBPROTOCOL);
    this.#socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify(this.#events.hello()));
      this.#events.status('open', 0);
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      this.#events.message(JSON.parse(data) as Hears);
    };
    socket.onclose = ({ code, reason }) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (this.#events.closed(code, reason)) this.#retry();
      else this.#events.status('closed', 0);
    };
  }

  #retry(): void {
    if (this.#isClosed) return;
    const delay = retryDelayMs(this.#attempt++, Math.random());
    this.#events.status('lost', delay);
    this.#timer = setTimeout(() => this.restart(), delay);
  }

  /** The line or the page has come back: no reason to wait any longer. */
  readonly #now = (): void => {
    if (this.#timer !== undefined && this.#socket === null && document.visibilityState === 'visible') {
      this.restart();
    }
  };

  /** The device says that the line is gone: a socket would only notice much later. */
  readonly #lost = (): void => {
    if (this.#socket === null) return;
    this.#drop();
    this.#retry();
  };

  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const socket = this.#socket;
    this.#socket = null;
    if (socket !== null) {
      socket.onclose = null;
      socket.onmessage = null;
      socket.close();
    }
  }
}

/** A room's connection. */
export class RoomSocket extends LiveSocket<ClientMessage, ServerMessage> {
  constructor(code: string, events: SocketEvents) {
    super(`/ws/v1/rooms/${encodeURIComponent(code)}`, events);
  }
}
