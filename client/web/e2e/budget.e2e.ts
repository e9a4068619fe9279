// What a race costs to load: whoever follows the link to a room is sent no more JavaScript than this before they race.

import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, PHONE } from './browser';
import { getReady, openRoom } from './opened';
import { byKeyboard, play, readBoard, takeName } from './player';
import { stage } from './stage';
import { solve } from './solve';

const on = stage();

/** Bytes of JavaScript at most, each file compressed by gzip as far as it goes. */
const BYTES_MAX = 60_000;

/** The scripts that a page has been sent, and their compressed sizes. */
async function sizes(responses: readonly Response[]): Promise<[name: string, bytes: number][]> {
  const bodies = responses.map(async (response) => {
    const name = new URL(response.url()).pathname;
    return [name, gzipSync(await response.body(), { level: 9 }).length] as [string, number];
  });
  return (await Promise.all(bodies)).sort(([, a], [, b]) => b - a);
}

function sum(scripts: readonly [string, number][]): number {
  return scripts.reduce((sum, [, bytes]) => sum + bytes, 0);
}

function scriptsOf(page: Page): Response[] {
  const scripts: Response[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script' && response.ok()) scripts.push(response);
  });
  return scripts;
}

it('a page that follows a link to a room loads at most 60 kB of JavaScript until it races', async () => {
  const [[host], guest] = await Promise.all([on.player(DESKTOP), on.visitor(PHONE)]);
  const code = await openRoom(host);
  const scripts = scriptsOf(guest);
  await Promise.all([host, guest].map((page) => page.goto(`${on.server.url}/r/${code}`)));
  await takeName(guest, 'Lucas', 'Join');
  await getReady(host, guest);
  const before = await sizes(scripts);
  await play(guest, solve(await readBoard(guest)), byKeyboard);
  await guest.locator('.result').waitFor();
  const all = await sizes(scripts);
  for (const [name, bytes] of all) console.log(`${bytes}\t${name}`);
  console.log(`${sum(before)} bytes of JavaScript until the race, ${sum(all)} with its result, of ${BYTES_MAX}`);
  expect(sum(before)).toBeGreaterThan(0);
  expect(sum(before), JSON.stringify(before)).toBeLessThanOrEqual(BYTES_MAX);
});
