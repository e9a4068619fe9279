// The main screens one after the other, each as a visitor comes to it, with a look at each of them.

import type { Page } from 'playwright-core';
import { byKeyboard, play, takeName, waitForRace } from './player';
import { Troupe } from './puppets';
import type { Transfer } from './solve';
import type { Stage } from './stage';

/** Two towers of two, each disk of size 1 on the wrong one: harmony in 3 transfers. */
const SWAPPED = 'R2S1/S2R1/-/- 7';
const SOLUTION: readonly Transfer[] = [[1, 3], [2, 1], [3, 2]];

let races = 0;

/** Leads that page through all main screens, and calls `look` on each; the name says which one it is. */
export async function throughScreens(on: Stage, page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await page.goto(on.server.url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await look('start');
  for (const [path, heading] of [
    ['/campaign', 'Campaign Master'],
    ['/rules', 'Rules and story'],
    ['/leaderboard', 'Leaderboards'],
    ['/hanoi', 'The classic tower'],
    ['/me', 'Who are you?'],
  ] as const) {
    await page.goto(`${on.server.url}${path}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await look(path.slice(1));
  }
  await throughRace(on, page, look);
}

async function throughRace(on: Stage, page: Page, look: (name: string) => Promise<void>): Promise<void> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser of its own');
  const troupe = await Troupe.gather(browser, on.server.url);
  // A name is given once.
  races += 1;
  const lucas = await troupe.player(`Lucas ${races}`);
  await page.goto(`${on.server.url}/r/${await troupe.table([lucas], { blueprint: SWAPPED })}`);
  await takeName(page, `Ada ${races}`, 'Join');
  await page.getByRole('heading', { name: 'The lobby' }).waitFor();
  await look('lobby');
  await lucas.ready();
  await page.getByRole('button', { name: 'I am ready' }).click();
  await waitForRace(page);
  await look('race');
  await play(page, SOLUTION, byKeyboard);
  await page.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await look('result');
  const round = await page.getByRole('link', { name: 'The page of this round' }).getAttribute('href');
  await page.goto(new URL(round ?? '', on.server.url).href);
  await page.getByRole('group', { name: 'Replay controls' }).waitFor();
  await page.locator('[data-curve]').first().waitFor({ state: 'attached' });
  await look('replay');
}
