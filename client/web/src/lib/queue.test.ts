import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { QueueClientMessage, QueueServerMessage } from './protocol';
import { leadsOn, queuePath, wantedIn } from './queue';
import { Queue } from './queue.svelte';
import { PRESETS } from './words';

/** A WebSocket whose other end is the test. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: QueueClientMessage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as QueueClientMessage);
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  says(message: QueueServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  ends(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code, reason: '' });
  }
}

const WANTED = { seats: 2, preset: 'initiate' } as const;
const WAITING: QueueServerMessage = { type: 'waiting', ...WANTED, waiting: 1, since_ms: 4_000, window: 700 };
const OFFER: QueueServerMessage = { type: 'offer', strength: 5, name: 'Automaton 5', rating: 1452 };

function socket(index = -1): FakeSocket {
  const found = FakeSocket.all.at(index);
  if (found === undefined) throw new Error('nobody has connected');
  return found;
}

/** A page that waits. */
function waiting(): Queue {
  const queue = new Queue('token', WANTED);
  socket().open();
  socket().says(WAITING);
  return queue;
}

beforeEach(() => {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { protocol: 'https:', host: 'spire.example' });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('joins with the token and the wanted race, and knows since when it waits', () => {
  const queue = waiting();
  expect(socket().url).toBe('wss://spire.example/ws/v1/queue');
  expect(socket().sent).toEqual([{ type: 'join', token: 'token', seats: 2, preset: 'initiate' }]);
  expect(queue.waiting?.waiting).toBe(1);
  expect(performance.now() - queue.since).toBe(4_000);
});

it('a lost line is tried again, and joins anew: its place and its offer are gone', () => {
  const queue = waiting();
  socket().says(OFFER);
  socket().ends(1006);
  expect([queue.status, queue.waiting, queue.offer]).toEqual(['lost', null, null]);
  vi.advanceTimersByTime(10_000);
  expect(FakeSocket.all).toHaveLength(2);
  socket().open();
  expect(socket().sent).toEqual([{ type: 'join', token: 'token', seats: 2, preset: 'initiate' }]);
  expect(queue.ending).toBe(null);
});

it('a server that stops is tried again', () => {
  const queue = waiting();
  socket().ends(1012);
  expect(queue.status).toBe('lost');
});

it('a newer page has the place: this one connects no more before it is asked to', () => {
  const queue = waiting();
  socket().says({ type: 'replaced' });
  socket().ends(4409);
  vi.advanceTimersByTime(60_000);
  expect([queue.isReplaced, FakeSocket.all.length]).toEqual([true, 1]);
  queue.takeBack();
  socket().open();
  expect([queue.isReplaced, socket().sent[0]?.type]).toEqual([false, 'join']);
});

it('an offer is taken once, or passed over', () => {
  const queue = waiting();
  socket().says(OFFER);
  expect(queue.offer?.name).toBe('Automaton 5');
  queue.accept();
  expect([queue.isAccepted, socket().sent.at(-1)]).toEqual([true, { type: 'accept' }]);
  socket().says({ type: 'back' });
  expect([queue.isAccepted, queue.notice]).toEqual([false, { code: 'again', message: '' }]);
  queue.decline();
  expect(queue.offer).toBe(null);
});

it('a race that is found ends the wait', () => {
  const queue = waiting();
  socket().says({ type: 'matched', code: '7KQM01', bots: false });
  socket().ends(1000);
  vi.advanceTimersByTime(60_000);
  expect([queue.code, queue.ending, FakeSocket.all.length]).toEqual(['7KQM01', null, 1]);
});

it('what the queue says before it closes the connection is told', () => {
  const queue = waiting();
  socket().says({ type: 'error', code: 'bad_token', message: 'nobody has this token' });
  socket().ends(4401);
  expect(queue.ending).toEqual({ code: 'bad_token', message: 'nobody has this token' });
});

it('who has joined too often is told so, and comes back by itself', () => {
  const queue = waiting();
  socket().says({ type: 'error', code: 'rate_limited', message: 'wait a minute' });
  socket().ends(4429);
  expect([queue.status, queue.notice, queue.ending]).toEqual(['lost', { code: 'rate_limited', message: 'wait a minute' }, null]);
});

it('leaving says so and connects no more', () => {
  const queue = waiting();
  const left = socket();
  queue.stop();
  expect(left.sent.at(-1)).toEqual({ type: 'leave' });
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(1);
});

it('the wanted race stands in the address', () => {
  expect(wantedIn('?seats=3&preset=expert', PRESETS)).toEqual({ seats: 3, preset: 'expert' });
  expect(queuePath({ seats: 3, preset: 'expert' })).toBe('/quick?seats=3&preset=expert');
  for (const none of ['', '?seats=5&preset=expert', '?seats=2', '?seats=2&preset=tower', '?preset=spire']) {
    expect(wantedIn(none, PRESETS)).toBe(null);
  }
});

it('a race that nobody else came to, or that was gone before one came, leads back into the queue', () => {
  const [seen, back] = [{ seats: 3, preset: 'expert' }, '/quick?seats=2&preset=standard'] as const;
  expect(leadsOn('no_opponent', seen, back)).toBe('/quick?seats=3&preset=expert');
  for (const gone of ['no_opponent', 'no_such_room', 'no_seat', 'closed']) {
    expect(leadsOn(gone, null, back)).toBe(back);
    // Whoever came by a link, or by the browser's own back, did not ask for the queue.
    expect(leadsOn(gone, null, null)).toBe(null);
  }
  for (const end of ['closed', 'no_such_room', 'kicked', 'left']) expect(leadsOn(end, seen, back)).toBe(null);
  for (const end of ['kicked', 'bad_token', 'banned']) expect(leadsOn(end, null, back)).toBe(null);
});
