// Two people race in one room of a real server: one at a desktop by keyboard, one on a phone by taps.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, pasted, shoot } from './browser';
import {
  byKeyboard,
  byTaps,
  clockOf,
  movesOf,
  pegLabels,
  play,
  readBoard,
  takeName,
  waitForMoves,
  waitForRace,
} from './player';
import { stage } from './stage';
import { solve } from './solve';

const on = stage();

/** Ada opens an initiate room from the start page; the room's address. */
async function openRoom(ada: Page): Promise<string> {
  await ada.goto(on.server.url);
  await expectAccessible(ada);
  await shoot(ada, 'start');
  await takeName(ada, 'Ada', 'Take it');
  await ada.getByText('You play as Ada').waitFor();
  await ada.getByLabel('Initiate').check({ force: true });
  await ada.getByText('2 spectra of 4 disks').waitFor();
  await ada.getByRole('button', { name: 'Open the room' }).click();
  await ada.getByRole('heading', { name: 'The lobby' }).waitFor();
  expect(new URL(ada.url()).pathname).toMatch(/^\/r\/[0-9A-Z]{12}$/);
  return ada.url();
}

/** Lucas follows the link and takes a name there. */
async function follow(lucas: Page, link: string): Promise<void> {
  await lucas.goto(on.server.url);
  await lucas.getByLabel('Your name').waitFor();
  await shoot(lucas, 'start');
  await lucas.goto(link);
  await takeName(lucas, 'Lucas', 'Join');
  await lucas.getByRole('heading', { name: 'The lobby' }).waitFor();
}

async function getReady(ada: Page, lucas: Page): Promise<void> {
  await ada.getByText('Waiting for you, Lucas.').waitFor();
  for (const page of [ada, lucas]) {
    await expectAccessible(page);
    await shoot(page, 'lobby');
  }
  // Ada keeps to the keyboard.
  await ada.getByRole('button', { name: 'I am ready' }).focus();
  await ada.keyboard.press('Enter');
  await lucas.getByText('Waiting for you.').waitFor();
  await lucas.getByRole('button', { name: 'I am ready' }).tap();
  await ada.locator('[data-countdown]').waitFor();
  expect(await ada.locator('[data-peg]').count()).toBe(0);
  await expectAccessible(ada);
  await Promise.all([shoot(ada, 'countdown'), shoot(lucas, 'countdown')]);
  await Promise.all([waitForRace(ada), waitForRace(lucas)]);
}

it('two pages race to harmony by keyboard and by taps, a reload in the middle included', async () => {
  const [ada, lucas] = await Promise.all([on.visitor(DESKTOP), on.visitor(PHONE)]);
  const link = await openRoom(ada);
  await follow(lucas, link);
  await getReady(ada, lucas);

  const board = await readBoard(ada);
  expect(await readBoard(lucas)).toEqual(board);
  const line = solve(board);
  expect(line.length).toBeGreaterThanOrEqual(8);
  expect(line.length).toBeLessThanOrEqual(11);
  const half = Math.floor(line.length / 2);

  await play(ada, line.slice(0, half), byKeyboard);
  await play(lucas, line.slice(0, half), byTaps);
  // Each sees the other's board as it stands.
  const adasBoard = await pegLabels(ada);
  await lucas.getByRole('img', { name: `Board of Ada. ${adasBoard.join('. ')}` }).waitFor();

  // A lifted disk shows, and it stays lifted over a reload.
  await byTaps(lucas, line[half]?.[0] ?? 0);
  await lucas.getByText('Choose the peg to place the disk on.').waitFor();
  for (const page of [ada, lucas]) {
    await expectAccessible(page);
    await shoot(page, 'race');
  }
  const [labels, clock] = [await pegLabels(lucas), await clockOf(lucas)];
  await lucas.reload();
  await waitForRace(lucas);
  expect(await pegLabels(lucas)).toEqual(labels);
  expect(await movesOf(lucas)).toBe(half);
  expect(await clockOf(lucas)).toBeGreaterThanOrEqual(clock);
  await byTaps(lucas, line[half]?.[1] ?? 0);
  await waitForMoves(lucas, half + 1);

  await play(lucas, line.slice(half + 1), byTaps);
  await Promise.all([ada, lucas].map((page) => page.locator('.result').waitFor()));
  await lucas.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await ada.getByRole('heading', { name: 'Lucas restored the Spire' }).waitFor();
  const row = ada.getByRole('row', { name: /Lucas/ });
  expect(await row.innerText()).toMatch(/1st.*Lucas.*★★★.*crown/s);
  expect(await row.innerText()).toContain(`${line.length}`);
  for (const page of [ada, lucas]) {
    await expectAccessible(page);
    await shoot(page, 'result');
  }

  await storedResult(ada, lucas);
  await rematch(ada, lucas, link);
  expectNoErrors(ada);
  expectNoErrors(lucas);
});

/** What the race left behind: the round's own page, and the leaderboard. */
async function storedResult(ada: Page, lucas: Page): Promise<void> {
  const path = await lucas.getByRole('link', { name: 'The page of this round' }).getAttribute('href');
  const visit = await ada.context().newPage();
  await visit.goto(new URL(path ?? '', on.server.url).href);
  await visit.getByRole('row', { name: /1st Lucas/ }).waitFor();
  await playAgain(visit);
  await visit.getByText('How the board came about').click();
  await visit.getByText('Server seed').waitFor();
  for (const screen of [PHONE, DESKTOP]) {
    await visit.setViewportSize(screen);
    await expectAccessible(visit);
    await shoot(visit, 'match');
  }
  await visit.goto(`${on.server.url}/leaderboard`);
  // A race that was opened by hand stands on no board.
  await visit.getByText('Nobody stands here yet.').waitFor();
  await expectAccessible(visit);
  await shoot(visit, 'leaderboard');
  await visit.close();
}

/** The stored round plays again: from the start to its end, and step by step. */
async function playAgain(visit: Page): Promise<void> {
  const lucas = visit.getByRole('article', { name: 'Lucas' });
  expect(await lucas.innerText()).toMatch(/\d\/8 settled · 0 moves/);
  await visit.getByRole('button', { name: 'One event on' }).click();
  await visit.getByLabel('Speed').selectOption('8');
  await visit.getByRole('button', { name: 'Play' }).click();
  await lucas.getByText(/^finished 0:\d\d\.\d{3}$/).waitFor();
  expect(await lucas.innerText()).toContain('8/8 settled');
  const [at, length] = (await visit.locator('[data-replay-clock]').innerText()).split(' / ');
  expect(at).toBe(length);
  await shoot(visit, 'replay');
  await visit.getByLabel('Instant of the race').fill('0');
  expect(await lucas.innerText()).toContain('· 0 moves');
  await shareInstant(visit);
}

/** By keyboard to the end and a step back; the link to that instant opens there. */
async function shareInstant(visit: Page): Promise<void> {
  const clock = visit.locator('[data-replay-clock]');
  await visit.keyboard.press('End');
  await visit.keyboard.press('ArrowLeft');
  await visit.keyboard.press('-');
  expect(await visit.getByLabel('Speed').inputValue()).toBe('4');
  const [at, texts] = [await clock.innerText(), await visit.locator('code').allInnerTexts()];
  await visit.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit.getByRole('button', { name: 'Copy link to this instant' }).click();
  await visit.getByRole('button', { name: 'Copied' }).waitFor();
  const link = await pasted(visit);
  expect(link).toMatch(/\/m\/[0-9a-f-]{36}\?t=\d+(\.\d+)?$/);
  await visit.goto(link);
  await visit.getByText(at).waitFor();
  expect(await visit.locator('code').allInnerTexts()).toEqual(texts);
}

/** Both vote, and another board is raced on in the same room. */
async function rematch(ada: Page, lucas: Page, link: string): Promise<void> {
  await ada.getByRole('button', { name: 'Rematch' }).click();
  await lucas.getByRole('button', { name: 'Rematch' }).tap();
  await Promise.all([waitForRace(ada), waitForRace(lucas)]);
  expect(ada.url()).toBe(link);
  const line = solve(await readBoard(ada));
  await play(ada, line, byKeyboard);
  await ada.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await lucas.getByRole('heading', { name: 'Ada restored the Spire' }).waitFor();
}
