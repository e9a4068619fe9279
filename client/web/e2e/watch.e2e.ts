// Two race, others watch: live with distances, and afterwards in the replay. What racers must not know never reaches them.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Board } from '../src/lib/board';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, shoot } from './browser';
import { byKeyboard, pegLabels, play, readBoard, takeName, waitForRace } from './player';
import { stage } from './stage';
import { lineToMistake, solve } from './solve';

const on = stage();

/** Everything that a page hears on its sockets from now on. */
function heardBy(page: Page): string[] {
  const heard: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))));
  return heard;
}

/** The first opens an initiate room that is listed for everybody, and the second joins; its code. */
async function openRoom(ada: Page, lucas: Page, [first, second]: readonly [string, string]): Promise<string> {
  await ada.goto(on.server.url);
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
    on.visitor(DESKTOP),
    on.visitor(DESKTOP),
    on.visitor(DESKTOP),
    on.visitor(PHONE),
  ]);
  const heard = [heardBy(ada), heardBy(lucas)];
  const code = await openRoom(ada, lucas, ['Ada', 'Lucas']);
  const board = await begin(ada, lucas);
  const line = solve(board);

  await eve.goto(`${on.server.url}/watch`);
  await eve.getByRole('link', { name: 'Watch Ada against Lucas' }).waitFor();
  await eve.getByRole('region', { name: 'Featured race' }).waitFor();
  await expectAccessible(eve);
  await shoot(eve, 'watch-list');
  await eve.getByRole('link', { name: 'Watch Ada against Lucas' }).click();
  await eve.waitForURL(`**/watch/${code}`);
  await max.goto(`${on.server.url}/watch/${code}`);
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
  for (const page of [ada, lucas]) expect(await page.locator('[data-distance], [data-curve]').count()).toBe(0);
  await play(ada, line.slice(2), byKeyboard);
  await Promise.all([ada, lucas, eve, max].map((page) => page.locator('.result').waitFor()));
  const told = heard.flat().filter((frame) => /"type":"distance"|"curves"|"type":"watching"/.test(frame));
  expect(told).toEqual([]);
  for (const page of [ada, lucas, eve, max]) expectNoErrors(page);
});

it('a replay opens at the instant of its link, jumps to the next mistake, and draws every racer’s way to harmony', async () => {
  const [ada, lucas] = await Promise.all([on.visitor(DESKTOP), on.visitor(PHONE)]);
  await openRoom(ada, lucas, ['Mary', 'Tom']);
  const board = await begin(ada, lucas);
  const { line, cost } = lineToMistake(board);
  await play(lucas, line, byKeyboard);
  await play(ada, solve(board), byKeyboard);
  await ada.locator('.result').waitFor();
  // After the round all may know what it came to.
  await ada.getByRole('region', { name: 'Summary of the round' }).getByText('Mary wasted nothing.').waitFor();
  await ada.getByText('The figures').click();
  await ada.getByRole('table', { name: 'Analysis by racer' }).getByRole('row', { name: `Transfers ${solve(board).length} ${line.length}` }).waitFor();
  await expectAccessible(ada);
  await shoot(ada, 'result-summary');

  const path = await ada.getByRole('link', { name: 'The page of this round' }).getAttribute('href');
  await ada.goto(new URL(`${path}?t=0.01`, on.server.url).href);
  await ada.getByRole('slider', { name: 'Distance to harmony over the race' }).waitFor();
  const clock = ada.locator('[data-replay-clock]');
  expect(await clock.innerText()).toMatch(/^0:00\.0 \//);
  expect(await ada.locator('[data-curve]').count()).toBe(2);
  await ada.getByRole('button', { name: 'Next mistake' }).click();
  const mark = ada.getByRole('article', { name: 'Tom' }).locator('[data-mark]');
  expect(await mark.innerText()).toBe(`${line.at(-1)?.join('-')} ${cost}`);
  const current = ada.locator('[aria-current="true"]');
  expect(await current.innerText()).toContain('Tom');
  expect((await clock.innerText()).split(' / ')[0]).toBe((await current.innerText()).split('\n')[0]?.trim());
  expect(await toGo(ada, 'Mary').innerText()).toBe(`${solve(board).length} to go`);
  await ada.keyboard.press('End');
  await toGo(ada, 'Mary').getByText('harmony').waitFor();
  for (const screen of [PHONE, DESKTOP]) {
    await ada.setViewportSize(screen);
    await expectAccessible(ada);
    await shoot(ada, 'replay-review');
  }
  for (const kind of ['replay', 'record']) {
    const answer = await ada.request.get(`${on.server.url}/api/v1/matches/${path?.split('/').at(-1)}/${kind}`);
    expect(answer.status()).toBe(200);
    expect(await ada.locator(`a[href$="/${kind}"]`).count()).toBe(1);
  }
  for (const page of [ada, lucas]) expectNoErrors(page);
});
