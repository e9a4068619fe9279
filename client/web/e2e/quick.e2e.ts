// Quick match: two people who have never met race each other rated, and one who is alone is offered a bot.

import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, shoot, startBrowser, visitor } from './browser';
import { byKeyboard, byTaps, play, readBoard, takeName, waitForRace } from './player';
import { type Server, startServer } from './server';
import { solve } from './solve';

let server: Server;
let lonely: Server;
let browser: Browser;

beforeAll(async () => {
  [server, lonely, browser] = await Promise.all([startServer(), startServer(['--offer-ms', '500']), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([server?.stop(), lonely?.stop()]);
});

/** From the start page to the form of the quick match, under a name. */
async function toTheQueue(page: Page, name: string, waiting: string): Promise<void> {
  await page.goto(server.url);
  await page.getByText(waiting).waitFor();
  await takeName(page, name, 'Take it');
  await page.getByText(`You play as ${name}`).waitFor();
  await shoot(page, 'start');
  await page.getByRole('link', { name: 'Find a race' }).click();
  await page.getByRole('heading', { name: 'Quick match' }).waitFor();
  await page.getByText(waiting).waitFor();
  await page.getByRole('radio', { name: 'Initiate' }).check({ force: true });
  await expectAccessible(page);
  await shoot(page, 'quick');
  await page.getByRole('button', { name: 'Find a race' }).click();
}

/** How the page says that a player's rating has moved: before and after. */
async function ratingOf(page: Page, name: string): Promise<[before: number, after: number]> {
  const row = page.locator('.moves li', { hasText: name });
  await row.waitFor();
  const [before = 0, after = 0] = ((await row.innerText()).match(/\d{3,4}/g) ?? []).map(Number);
  return [before, after];
}

it('two browsers find each other by quick match and play a rated round', async () => {
  const [ada, lucas] = await Promise.all([visitor(browser, DESKTOP), visitor(browser, PHONE)]);
  await toTheQueue(ada, 'Ada', 'Nobody waits at the moment.');
  await ada.getByText('Nobody else waits for this race yet.').waitFor();
  await expectAccessible(ada);
  await shoot(ada, 'quick-wait');
  await toTheQueue(lucas, 'Lucas', 'One player waits for a race now.');
  await Promise.all([waitForRace(ada), waitForRace(lucas)]);
  expect(new URL(ada.url()).pathname).toMatch(/^\/r\/[0-9A-Z]{12}$/);
  expect(lucas.url()).toBe(ada.url());

  const board = await readBoard(ada);
  expect(await readBoard(lucas)).toEqual(board);
  // Racers see of each other how far they are, and no board.
  await ada.getByText('Lucas').first().waitFor();
  expect(await ada.getByRole('img', { name: /Board of Lucas/ }).count()).toBe(0);
  const line = solve(board);
  await play(lucas, line.slice(0, 2), byTaps);
  await play(ada, line, byKeyboard);
  await ada.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await lucas.getByRole('heading', { name: 'Ada restored the Spire' }).waitFor();

  for (const page of [ada, lucas]) {
    const [winner, loser] = [await ratingOf(page, 'Ada'), await ratingOf(page, 'Lucas')];
    expect([winner[0], loser[0]]).toEqual([1500, 1500]);
    expect(winner[1]).toBeGreaterThan(1500);
    expect(loser[1]).toBeLessThan(1500);
    expect(await page.getByRole('button', { name: 'Rematch' }).count()).toBe(0);
    await expectAccessible(page);
    await shoot(page, 'rated-result');
  }
  const [, rating] = await ratingOf(ada, 'Ada');
  await onTheBoard(ada, rating);

  // The way back into the queue is one click, and the wanted race is the same.
  await lucas.getByRole('link', { name: 'Another quick match' }).click();
  await lucas.getByText('Initiate · 2 players · rated').waitFor();
  await lucas.getByText('Nobody else waits for this race yet.').waitFor();
  await shoot(lucas, 'quick-wait');
  await lucas.getByRole('button', { name: 'Leave the queue' }).click();
  await lucas.getByRole('heading', { name: 'Quick match' }).waitFor();
  expectNoErrors(ada);
  expectNoErrors(lucas);
});

/** Once the delay of their room is over, both stand on the board of points, and the winner's page has the new rating. */
async function onTheBoard(ada: Page, rating: number): Promise<void> {
  const visit = await ada.context().newPage();
  const row = visit.getByRole('row', { name: /Ada/ }).first();
  const last = performance.now() + 60_000;
  do {
    await visit.goto(`${server.url}/leaderboard?board=sprint`);
    await row.or(visit.getByText('Nobody stands here yet.')).first().waitFor();
  } while ((await row.count()) === 0 && performance.now() < last);
  await row.waitFor();
  await visit.getByRole('row', { name: /Lucas/ }).first().waitFor();
  await visit.getByRole('row', { name: /Ada/ }).first().getByRole('link', { name: 'Ada', exact: true }).click();
  await visit.getByText(String(rating)).first().waitFor();
  await visit.close();
}

it('a race that is not there leads back into the queue, in words', async () => {
  const [ada, ben] = await Promise.all([visitor(browser, PHONE), visitor(browser, DESKTOP)]);
  // As if the room had ended in the moment in which it was found.
  await ada.route('**/api/v1/rooms/*', (route) => route.fulfill({ status: 404, json: { code: 'not_found' } }));
  await ada.goto(`${server.url}/quick?seats=2&preset=apprentice`);
  await ada.getByText('Nobody else waits for this race yet.').waitFor();
  await ben.goto(`${server.url}/quick?seats=2&preset=apprentice`);
  await ada.getByText(/There is no room \w{12}, or it is closed/).waitFor();
  await ada.reload();
  await ada.getByText(/There is no room \w{12}, or it is closed/).waitFor();
  await expectAccessible(ada);
  await shoot(ada, 'race-gone');
  await ada.unroute('**/api/v1/rooms/*');
  // The queue knows that the race is there after all, and sends back to it.
  await ada.getByRole('link', { name: 'Find another race' }).click();
  await Promise.all([waitForRace(ada), waitForRace(ben)]);
  expect(ada.url()).toBe(ben.url());
  expectNoErrors(ada, /404/);
  await Promise.all([ada, ben].map((page) => page.context().close()));
});

/** The bot stands on its own list, on the page and in the terminal, and on no list of people. */
async function onTheLadderOfBots(ada: Page, bot: string): Promise<void> {
  const visit = await ada.context().newPage();
  const row = visit.getByRole('row', { name: new RegExp(bot) }).first();
  const last = performance.now() + 60_000;
  // It stands there once the delay of its room is over.
  do {
    await visit.goto(`${lonely.url}/leaderboard?board=sprint&list=bots`);
    await visit.getByRole('row').nth(1).or(visit.getByText('Nobody stands here yet.')).first().waitFor();
  } while ((await row.count()) === 0 && performance.now() < last);
  await row.waitFor();
  await visit.goto(`${lonely.url}/leaderboard?board=sprint`);
  await visit.getByRole('row').nth(1).or(visit.getByText('Nobody stands here yet.')).first().waitFor();
  expect(await visit.getByRole('row', { name: new RegExp(bot) }).count()).toBe(0);
  await visit.close();
  expect(terminal('--list', 'bots')).toContain(bot);
  expect(terminal('--list', 'people')).not.toContain(bot);
}

/** What `sprint leaderboard sprint` prints. */
function terminal(...flags: string[]): string {
  const binary = process.env.SPRINT;
  if (binary === undefined) throw new Error('SPRINT must name the sprint binary, such as ../../target/debug/sprint');
  return execFileSync(resolve(binary), ['leaderboard', 'sprint', '--server', lonely.url, ...flags], { encoding: 'utf8' });
}

it('quick match offers the boards that the server has, in its order', async () => {
  const ada = await visitor(browser, PHONE);
  await ada.goto(`${server.url}/quick`);
  const presets = (await (await fetch(`${server.url}/api/v1/presets`)).json()) as { preset: string }[];
  const offered = await ada.locator('input[name="preset"]').evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value));
  expect(offered).toEqual(presets.map(({ preset }) => preset));
  const seats = await ada.locator('input[name="seats"]').evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value));
  expect(seats).toEqual(['2', '3', '4']);
  await ada.context().close();
});

it.each([
  ['a desktop', DESKTOP, byKeyboard],
  ['a phone', PHONE, byTaps],
])('a lone one gets the bot offer and races it, on %s', async (_, viewport, touch) => {
  const ada = await visitor(browser, viewport);
  // Who comes by such an address waits at once, under a name that is made up.
  await ada.goto(`${lonely.url}/quick?seats=2&preset=initiate`);
  const offered = await ada.locator('.offer strong').innerText();
  expect(offered).toMatch(/^Automaton \d+$/);
  await expectAccessible(ada);
  await shoot(ada, 'quick-offer');
  await ada.getByRole('button', { name: 'Race the bot' }).click();
  await waitForRace(ada);
  const line = solve(await readBoard(ada));
  await play(ada, line, touch);
  await ada.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await ada.getByRole('row', { name: new RegExp(offered) }).waitFor();
  expect(await ada.locator('.moves').count()).toBe(0);
  await onTheLadderOfBots(ada, offered);
  const round = await ada.getByRole('link', { name: 'The page of this round' }).getAttribute('href');
  await ada.getByRole('button', { name: 'Rematch' }).click();
  await waitForRace(ada);
  await ada.getByRole('button', { name: 'Give up' }).click();
  await ada.getByRole('button', { name: 'Really give up?' }).click();
  await ada.getByRole('button', { name: 'Leave' }).click();

  // The round stays, and its ghosts can be raced: here the own one.
  const name = await ada.locator('.you').innerText();
  await ada.goto(`${lonely.url}${round}`);
  await ada.getByRole('button', { name: 'Race the ghosts of this round' }).click();
  await waitForRace(ada);
  await ada.getByText(`Ghost of ${name}`.slice(0, 20).trimEnd()).first().waitFor();
  await expectAccessible(ada);
  await shoot(ada, 'ghost-race');
  await ada.getByRole('heading', { name: /^Ghost of .* restored the Spire$/ }).waitFor();
  expectNoErrors(ada);
  await ada.context().close();
});
