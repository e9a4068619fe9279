// Players without a page of their own: they speak the protocol over sockets that one hidden page holds, so that a scene
// stands in milliseconds. They know no rules: what they play they are told.

import type { Browser, Page } from 'playwright-core';
import { type Board, parseBoard } from '../src/lib/board';
import type { NewPlayerCreated, RoomInfo, RoomOptions, View } from '../src/lib/protocol';
import type { Transfer } from './solve';

/** What a socket of the hidden page has heard, and the number of its last act. */
interface Line {
  socket: WebSocket;
  heard: { type: string; [field: string]: unknown }[];
  n: number;
}

/** A hard board takes a server that is busy its time. */
const WAIT = { polling: 20, timeout: 90_000 };

type Stage = Window & { lines: Map<string, Line> };

/** Makes puppets on one server. */
export class Troupe {
  readonly #url: string;
  readonly #page: Page;

  private constructor(url: string, page: Page) {
    this.#url = url;
    this.#page = page;
  }

  /** Opens the hidden page; it goes with the browser. */
  static async gather(browser: Browser, url: string): Promise<Troupe> {
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${url}/api/v1/presets`);
    await page.evaluate(() => ((window as unknown as Stage).lines = new Map()));
    return new Troupe(url, page);
  }

  /** One call of the REST API, which must succeed. */
  async ask<T>(path: string, token?: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    const how = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${this.#url}/api/v1${path}`, how);
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Somebody new of that name, which nobody else may have. */
  async player(name: string): Promise<Puppet> {
    return new Puppet(this.#page, await this.ask<NewPlayerCreated>('/players', undefined, { name, bot: false }));
  }

  /** A room of the first one with these options, in which all of them sit, in their order. */
  async table(puppets: readonly Puppet[], options: Partial<RoomOptions> = {}): Promise<string> {
    const [host] = puppets;
    if (host === undefined) throw new Error('nobody to open a room');
    const { code } = await this.ask<RoomInfo>('/rooms', host.token, { seats: Math.max(2, puppets.length), ...options });
    for (const puppet of puppets) await puppet.sit(code);
    return code;
  }

  /** The same, and the race is on; its board. */
  async race(puppets: readonly Puppet[], options: Partial<RoomOptions> = {}): Promise<{ code: string; board: Board }> {
    const code = await this.table(puppets, options);
    await Promise.all(puppets.map((puppet) => puppet.ready()));
    const boards = await Promise.all(puppets.map((puppet) => puppet.board()));
    return { code, board: boards[0] as Board };
  }
}

/** One player, and the socket that they have last. */
export class Puppet {
  readonly player: NewPlayerCreated;
  readonly #page: Page;

  constructor(page: Page, player: NewPlayerCreated) {
    this.#page = page;
    this.player = player;
  }

  get token(): string {
    return this.player.token;
  }

  /** Comes into a room, or comes back, to play; waits for the welcome. */
  async sit(code: string): Promise<void> {
    await this.#open(`/ws/v1/rooms/${code}`, { type: 'hello', token: this.token, role: 'player' });
    await this.hears('welcome');
  }

  /** Wants a quick match; waits until the queue has it. */
  async queue(seats: number, preset: string): Promise<void> {
    await this.#open('/ws/v1/queue', { type: 'join', token: this.token, seats, preset });
    await this.hears('waiting', 'matched');
  }

  /** The room that the queue has found. */
  async matched(): Promise<string> {
    return ((await this.hears('matched')) as unknown as { code: string }).code;
  }

  ready(): Promise<void> {
    return this.say({ type: 'ready', ready: true });
  }

  /** The board of that round of the room, once it is shown: at the start, or in the welcome of who comes late. */
  async board(round = 1): Promise<Board> {
    const found = await this.#page.waitForFunction(
      ([id, round]) =>
        (window as unknown as Stage).lines
          .get(id)
          ?.heard.map(({ state }) => (state as View | null | undefined)?.round)
          .find((shown) => shown?.round === round && shown.board !== null)?.board,
      [this.player.player_id, round] as const,
      WAIT,
    );
    return parseBoard((await found.jsonValue()) as string);
  }

  /** Makes these transfers, and waits until the last one is judged. */
  async play(line: readonly Transfer[]): Promise<void> {
    for (const [from, to] of line) await this.act({ type: 'move', from, to });
  }

  /** Does one act, and waits until it is judged. */
  act(act: { type: 'lift' | 'place' | 'move' | 'undo' | 'reset'; peg?: number; from?: number; to?: number }): Promise<void> {
    return this.#page.evaluate(
      async ([id, act]) => {
        const line = (window as unknown as Stage).lines.get(id);
        if (line === undefined) throw new Error('nobody sits there');
        const n = ++line.n;
        line.socket.send(JSON.stringify({ ...act, n }));
        const last = performance.now() + 10_000;
        while (!line.heard.some((message) => message.n === n && message.type !== 'welcome')) {
          if (performance.now() > last) throw new Error(`act ${n} was not judged: ${JSON.stringify(act)}`);
          await new Promise((next) => line.socket.addEventListener('message', next, { once: true }));
        }
      },
      [this.player.player_id, act] as const,
    );
  }

  /** Says something that is no act. */
  async say(message: { type: string; [field: string]: unknown }): Promise<void> {
    await this.#page.evaluate(
      ([id, text]) => (window as unknown as Stage).lines.get(id)?.socket.send(text),
      [this.player.player_id, JSON.stringify(message)] as const,
    );
  }

  /** Waits until this socket has heard a message of one of these types; the last of them. */
  async hears(...types: string[]): Promise<Line['heard'][number]> {
    const found = await this.#page.waitForFunction(
      ([id, types]) => (window as unknown as Stage).lines.get(id)?.heard.findLast(({ type }) => types.includes(type)),
      [this.player.player_id, types] as const,
      WAIT,
    );
    return (await found.jsonValue()) as Line['heard'][number];
  }

  /** Loses the connection; the seat stays. */
  async vanish(): Promise<void> {
    await this.#page.evaluate((id) => (window as unknown as Stage).lines.get(id)?.socket.close(), this.player.player_id);
  }

  #open(path: string, hello: object): Promise<void> {
    return this.#page.evaluate(
      async ([id, path, hello]) => {
        const { lines } = window as unknown as Stage;
        lines.get(id)?.socket.close();
        const socket = new WebSocket(`ws://${location.host}${path}`, 'sprint.v1');
        const line: Line = { socket, heard: [], n: 0 };
        lines.set(id, line);
        const giveNonce = (): void => socket.send(JSON.stringify({ type: 'nonce', nonce: '0'.repeat(32) }));
        socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
          const message = JSON.parse(data) as Line['heard'][number] & { state?: { phase: string } | null };
          if (message.type === 'welcome') line.n = Number(message.n ?? 0);
          // What a round has brought is of no use in the next one; whoever waits to be let in may still ask.
          if (message.type === 'committed') line.heard = line.heard.filter(({ type }) => type === 'welcome');
          if (message.type === 'committed' || (message.type === 'welcome' && message.state?.phase === 'dealing')) giveNonce();
          line.heard.push(message);
        });
        await new Promise((opened, failed) => {
          socket.onopen = opened;
          socket.onerror = () => failed(new Error(`no socket to ${path}`));
        });
        socket.send(JSON.stringify(hello));
      },
      [this.player.player_id, path, hello] as const,
    );
  }
}
