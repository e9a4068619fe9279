// The page as strangers are let at it: on no screen does it ask anybody but its own server, nor try what its policies forbid.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, PHONE } from './browser';
import { getReady, openRoom } from './opened';
import { byKeyboard, play, readBoard } from './player';
import { stage } from './stage';
import { solve } from './solve';

const on = stage();

/** Every screen that an address alone leads to. */
const ADDRESSES = [
  '/',
  '/quick',
  '/watch',
  '/leaderboard',
  '/me',
  '/link',
  '/hanoi',
  '/rules',
  '/campaign',
  '/campaign/1',
  '/tutorial',
  '/tutorial/1',
  '/shuffle',
  '/daily',
  '/daily/2026-01-01',
  '/offline',
  '/nowhere',
  '/r/000000',
  '/m/00000000-0000-0000-0000-000000000000',
  '/p/00000000-0000-0000-0000-000000000000',
];

/** What was asked of whom, and what the browser refused. */
interface Seen {
  strangers: string[];
  refused: string[];
}

/** Listens from the first byte on. */
async function watched(page: Page): Promise<Seen> {
  const seen: Seen = { strangers: [], refused: [] };
  const isOwn = (url: string): boolean => /^(data|blob):/.test(url) || new URL(url).host === new URL(on.server.url).host;
  page.context().on('request', (request) => {
    if (!isOwn(request.url())) seen.strangers.push(request.url());
  });
  page.on('websocket', (socket) => {
    if (!isOwn(socket.url())) seen.strangers.push(socket.url());
  });
  page.on('console', (message) => {
    if (/policy|permission/i.test(message.text())) seen.refused.push(message.text());
  });
  await page.exposeFunction('tellRefused', (what: string) => void seen.refused.push(what));
  await page.addInitScript(() => {
    const tell = (globalThis as unknown as { tellRefused: (what: string) => void }).tellRefused;
    document.addEventListener('securitypolicyviolation', (event) => {
      tell(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile ?? ''}`);
    });
  });
  return seen;
}

it('every address that can be typed asks only its own server and breaks no policy', async () => {
  const page = await on.visitor(PHONE);
  const seen = await watched(page);
  for (const address of ADDRESSES) {
    await page.goto(`${on.server.url}${address}`);
    await page.waitForLoadState('networkidle');
    await page.waitForFunction(() => document.querySelector('#app')?.textContent?.trim() !== '');
  }
  expect(seen).toEqual({ strangers: [], refused: [] });
});

it('nor does a race from its lobby to its result, nor what is left of it', async () => {
  const [[ada, adasId], [lucas]] = await Promise.all([on.player(DESKTOP), on.player(PHONE)]);
  const seen = await Promise.all([watched(ada), watched(lucas)]);
  const code = await openRoom(ada);
  for (const page of [ada, lucas]) await page.goto(`${on.server.url}/r/${code}`);
  await getReady(ada, lucas);
  await play(ada, solve(await readBoard(ada)), byKeyboard);
  await Promise.all([ada, lucas].map((page) => page.locator('.result').waitFor()));
  const rounds = await ada.evaluate(async () => (await (await fetch('/api/v1/matches')).json()) as { rounds: { round_id: string }[] });
  for (const address of [`/m/${rounds.rounds[0]?.round_id}`, `/p/${adasId}`, `/watch/${code}`]) {
    await ada.goto(`${on.server.url}${address}`);
    await ada.waitForLoadState('networkidle');
  }
  expect(seen).toEqual([{ strangers: [], refused: [] }, { strangers: [], refused: [] }]);
});
