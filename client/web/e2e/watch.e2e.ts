// Two race, others watch: live with distances. What racers must not know never reaches them.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Board } from '../src/lib/board';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, shoot, startBrowser, visitor } from './browser';
import { byKeyboard, pegLabels, play, readBoard, takeName, waitForRace } from './player';
import { type Server, startServer } from './server';
import { solve } from './solve';

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Everything that a page hears on its sockets from now on. */
function heardBy(page: Page): string[] {
  const heard: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))));
  return heard;
}

/** The first opens an initiate room that is listed for everybody, and the second joins; its code. */
async function openRoom(ada: Page, lucas: Page, [first, second]: readonly [string, string]): Promise<string> {
  await ada.goto(server.url);
  await takeName(ada, first, 'Take it');
  await ada.getByText(`You play as ${first}`).waitFor();
  await ada.getByLabel('Initiate').check({ force: true });
  await ada.getByLabel('List the room for everybody').check({ force: true });
  await ada.getByRole('button', { name: 'Open the room' }).click();
  await ada.getByRole('heading', { name: 'The lobby' }).waitFor();
  await lucas.goto(ada.url());
  await takeName(lucas, second, 'Join');
  await lucas.getByRole('heading', { name: 'The lobby' }).waitFor();
  return new URL(ada.url()).pathname.split('/').at(-1) ?? '';
}

async function begin(ada: Page, lucas: Page): Promise<Board> {
  await ada.getByRole('button', { name: 'I am ready' }).click();
  await lucas.getByRole('button', { name: 'I am ready' }).click();
  await Promise.all([waitForRace(ada), waitForRace(lucas)]);
  return readBoard(ada);
}

/** What a board's image says of its pegs. */
const boardOf = async (page: Page, name: string): Promise<string> =>
  (await page.getByRole('img', { name: `Board of ${name}.` }).getAttribute('aria-label')) ?? '';

const toGo = (page: Page, name: string) => page.getByRole('article', { name }).locator('[data-distance]');

it('those who watch see both boards and how far they are; a racer is told no distance', async () => {
  const [ada, lucas, eve, max] = await Promise.all([
    visitor(browser, DESKTOP),
    visitor(browser, DESKTOP),
    visitor(browser, DESKTOP),
    visitor(browser, PHONE),
  ]);
  const heard = [heardBy(ada), heardBy(lucas)];
  const code = await openRoom(ada, lucas, ['Ada', 'Lucas']);
  const board = await begin(ada, lucas);
  const line = solve(board);

  await eve.goto(`${server.url}/watch`);
  await eve.getByRole('link', { name: 'Watch Ada against Lucas' }).waitFor();
  await eve.getByRole('region', { name: 'Featured race' }).waitFor();
  await expectAccessible(eve);
  await shoot(eve, 'watch-list');
  await eve.getByRole('link', { name: 'Watch Ada against Lucas' }).click();
  await eve.waitForURL(`**/watch/${code}`);
  await max.goto(`${server.url}/watch/${code}`);
  for (const page of [eve, max]) {
    for (const name of ['Ada', 'Lucas']) await toGo(page, name).getByText(`${line.length} to go`).waitFor();
  }
  await play(ada, line.slice(0, 2), byKeyboard);
  await byKeyboard(lucas, line[0]?.[0] ?? 0);
  const labels = await pegLabels(ada);
  for (const page of [eve, max]) {
    await toGo(page, 'Ada').getByText(`${line.length - 2} to go`).waitFor();
    await page.getByRole('article', { name: 'Lucas' }).getByText('holds').waitFor();
    expect(await boardOf(page, 'Ada')).toBe(`Board of Ada. ${labels.join('. ')}`);
    await page.getByText('2 viewers').waitFor();
    expect(await page.locator('[data-curve]').count()).toBe(2);
    await expectAccessible(page);
    await shoot(page, 'watch');
  }

  await byKeyboard(lucas, line[0]?.[1] ?? 0);
  await play(ada, line.slice(2), byKeyboard);
  await Promise.all([ada, lucas, eve, max].map((page) => page.locator('.result').waitFor()));
  for (const page of [ada, lucas]) expect(await page.locator('[data-distance], [data-curve]').count()).toBe(0);
  const told = heard.flat().filter((frame) => /"type":"distance"|"curves"|"type":"watching"/.test(frame));
  expect(told).toEqual([]);
  for (const page of [ada, lucas, eve, max]) expectNoErrors(page);
});
