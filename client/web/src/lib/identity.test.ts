import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NewPlayerCreated } from './protocol';

const ADA: NewPlayerCreated = { player_id: 'a1', name: 'Ada', token: 'of Ada' };
const KEY = 'sprint.player';

let kept: Map<string, string>;
let storageListener: ((event: { key: string | null }) => void) | null;

/** The module as a fresh page has it, with this player kept in the browser. */
async function page(player: NewPlayerCreated | null): Promise<typeof import('./identity.svelte')> {
  if (player !== null) kept.set(KEY, JSON.stringify(player));
  vi.resetModules();
  return import('./identity.svelte');
}

/** The server's answer to whatever is asked next. */
function answers(status: number, body: unknown): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(body), { status })));
}

/** What another tab of the browser has done to the kept player. */
function otherTab(player: NewPlayerCreated | null): void {
  if (player === null) kept.delete(KEY);
  else kept.set(KEY, JSON.stringify(player));
  storageListener?.({ key: KEY });
}

beforeEach(() => {
  kept = new Map();
  storageListener = null;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal('addEventListener', (_: string, listen: typeof storageListener) => (storageListener = listen));
  vi.stubGlobal('removeEventListener', () => (storageListener = null));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it('a token that the server does not take any more is forgotten, and the name is told', async () => {
  const { confirm, identity } = await page(ADA);
  answers(401, { status: 401, code: 'unauthorized', title: 'Unauthorized', detail: '' });
  await confirm();
  expect([identity.player, identity.lost, kept.has(KEY)]).toEqual([null, 'Ada', false]);
});

it('any call finds that out, and fails as such', async () => {
  const { identity, takeName } = await page(ADA);
  answers(401, { status: 401, code: 'unauthorized', title: 'Unauthorized', detail: 'give the header' });
  await expect(takeName('Countess')).rejects.toMatchObject({ code: 'unauthorized' });
  expect([identity.player, identity.lost]).toEqual([null, 'Ada']);
});

it('a token that was given up before its answer came takes nobody else along', async () => {
  const { adopt, identity, lose } = await page(ADA);
  const again = { ...ADA, token: 'another' };
  adopt(again);
  kept.clear();
  lose(ADA.token);
  expect(identity.player).toEqual(again);
  // Another tab has logged in anew, and this one has not heard of it.
  kept.set(KEY, JSON.stringify({ ...ADA, token: 'a third' }));
  lose('another');
  expect(identity.player?.token).toBe('a third');
  expect(identity.lost).toBe('');
});

it('who plays again is told of no log-out', async () => {
  const { adopt, identity, lose } = await page(ADA);
  lose(ADA.token);
  expect(identity.lost).toBe('Ada');
  adopt({ ...ADA, token: 'another' });
  expect(identity.lost).toBe('');
});

it('a name that another device has given is taken over, and no answer changes nothing', async () => {
  const { confirm, identity } = await page(ADA);
  answers(200, { player_id: 'a1', name: 'Ada Lovelace', bot: false });
  await confirm();
  expect(identity.player).toEqual({ ...ADA, name: 'Ada Lovelace' });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no line')));
  await confirm();
  expect([identity.player?.name, identity.lost]).toEqual(['Ada Lovelace', '']);
});

it('tabs follow each other out and in, but not to another player', async () => {
  const { followTabs, identity } = await page(ADA);
  const stop = followTabs();
  otherTab({ ...ADA, name: 'Countess' });
  expect(identity.player?.name).toBe('Countess');
  otherTab({ player_id: 'b2', name: 'Ben', token: 'of Ben' });
  expect(identity.player?.name).toBe('Countess');
  otherTab(null);
  expect([identity.player, identity.lost]).toEqual([null, 'Countess']);
  otherTab(ADA);
  expect([identity.player, identity.lost]).toEqual([ADA, '']);
  stop();
  expect(storageListener).toBe(null);
});
