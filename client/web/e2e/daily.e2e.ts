// The Daily Spire as a player meets it: one rated try, what is hidden before it and open after it, and practice.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Daily, PastDaily } from '../src/lib/protocol';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, pasted, shoot } from './browser';
import { byKeyboard, byTaps, play, readBoard, waitForRace } from './player';
import { solve } from './solve';
import { stage } from './stage';

const on = stage();

/** What the server answers to a call as the visitor of that page. */
async function ask(page: Page, path: string, body?: unknown): Promise<{ status: number; json: unknown }> {
  const stored = await page.evaluate(() => localStorage.getItem('sprint.player'));
  const token = stored === null ? null : (JSON.parse(stored) as { token: string }).token;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token !== null) headers.authorization = `Bearer ${token}`;
  const how = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(`${on.server.url}/api/v1${path}`, how);
  return { status: answer.status, json: await answer.json() };
}

async function dayOf(page: Page): Promise<Daily> {
  return (await ask(page, '/daily')).json as Daily;
}

it('the one rated try is played to its end, a second one is refused, and practice opens', async () => {
  const [page, , name] = await on.player(DESKTOP);
  await page.goto(`${on.server.url}/daily`);
  await page.getByText('There is one rated try.').waitFor();
  const { today, tomorrow } = await dayOf(page);
  expect(await page.locator('[data-left]').textContent()).toMatch(/^\d{1,2}:\d\d:\d\d$/);
  await page.getByText('Results and replays of today show here once your own try is over').waitFor();
  expect((await ask(page, `/leaderboards/daily?day=${today.day}`)).status).toBe(403);
  await page.getByText('The promise').click();
  expect(await page.locator(`[data-commitment="${today.day}"]`).textContent()).toBe(today.commitment);
  expect(await page.locator(`[data-commitment="${tomorrow.day}"]`).textContent()).toBe(tomorrow.commitment);
  await shoot(page, 'daily');
  await expectAccessible(page);

  // The try is one room, whatever is pressed.
  await page.getByRole('button', { name: 'Begin the rated try' }).click();
  await waitForRace(page);
  const path = new URL(page.url()).pathname;
  expect(await page.getByRole('button', { name: 'Hint' }).count()).toBe(0);
  await shoot(page, 'daily-race');
  await page.goto(`${on.server.url}/daily`);
  await page.getByText('Your try is open').waitFor();
  await shoot(page, 'daily-open');
  await page.getByRole('button', { name: 'Go on with your try' }).click();
  await waitForRace(page);
  expect(new URL(page.url()).pathname).toBe(path);

  const line = solve(await readBoard(page), 3);
  await play(page, line, byKeyboard);
  await page.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  const told = (await page.locator('[data-share]').textContent()) ?? '';
  expect(told).toMatch(new RegExp(`^Daily Spire ${today.day} · ${today.preset} ★`));
  expect(told).toContain(`${line.length} moves`);
  expect(told).toContain('flawless');
  expect(told.split('\n')[1]).toBe(`${on.server.url}/daily/${today.day}`);
  await shoot(page, 'daily-result');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'To the day and its leaderboard' }).click();
  await page.getByRole('row', { name: new RegExp(name) }).waitFor();
  expect(await page.locator('[data-streak]').textContent()).toBe('1 day');
  expect(await page.locator('[data-share]').textContent()).toBe(told);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy result' }).click();
  await page.getByText('Copied').first().waitFor();
  expect(await pasted(page)).toBe(told);
  await shoot(page, 'daily-after');
  await expectAccessible(page);

  expect(await page.getByRole('button', { name: /rated try|your try/ }).count()).toBe(0);
  expect(await ask(page, '/daily', { practice: false })).toMatchObject({ status: 409, json: { code: 'already_tried' } });

  // Practice is the same board with help, and changes nothing.
  await page.getByRole('button', { name: 'Practise on this board' }).click();
  await waitForRace(page);
  await page.keyboard.press('?');
  await page.getByText(/^Hint: /).first().waitFor();
  await play(page, solve(await readBoard(page), 3), byKeyboard);
  await page.getByText('Practice: your rated try stands as it was.').waitFor();
  await shoot(page, 'daily-practice');
  await page.getByRole('link', { name: 'To the day' }).click();
  await page.locator('[data-share]').filter({ hasText: told.split('\n')[0] ?? '' }).waitFor();
  expectNoErrors(page);
});

it('what others did today is hidden until the own try is over, also one that came to nothing', async () => {
  const [ada, , adasName] = await on.player(PHONE);
  await ada.goto(`${on.server.url}/daily`);
  await ada.getByRole('button', { name: 'Begin the rated try' }).tap();
  await waitForRace(ada);
  await play(ada, solve(await readBoard(ada), 3), byTaps);
  await ada.getByRole('heading', { name: 'Spire Restored!' }).waitFor();
  await shoot(ada, 'daily-result');
  await ada.getByRole('link', { name: 'To the day and its leaderboard' }).tap();
  await ada.getByRole('row', { name: new RegExp(adasName) }).waitFor();
  await shoot(ada, 'daily-after');
  await expectAccessible(ada);
  const round = (await dayOf(ada)).own?.result?.round_id ?? '';

  const [lucas] = await on.player(PHONE);
  await lucas.goto(`${on.server.url}/daily`);
  await lucas.locator('[data-hidden]').waitFor();
  await shoot(lucas, 'daily');
  await expectAccessible(lucas);
  expect(await lucas.getByText(adasName).count()).toBe(0);
  expect((await ask(lucas, `/matches/${round}`)).status).toBe(404);

  await lucas.getByRole('button', { name: 'Begin the rated try' }).tap();
  await waitForRace(lucas);
  await lucas.getByRole('button', { name: 'Give up' }).tap();
  await lucas.getByRole('button', { name: 'Give up your one try?' }).tap();
  await lucas.getByRole('heading', { name: 'Not restored' }).waitFor();
  expect(await lucas.locator('[data-share]').textContent()).toMatch(/ · not restored\n/);
  await lucas.getByRole('link', { name: 'To the day and its leaderboard' }).tap();
  await lucas.getByRole('row', { name: new RegExp(adasName) }).getByRole('link', { name: `The round of ${adasName}` }).tap();
  await lucas.getByRole('heading', { name: 'Round result' }).waitFor();
  await lucas.getByRole('cell', { name: new RegExp(adasName) }).first().waitFor();
  expectNoErrors(ada);
  expectNoErrors(lucas);
});

it('a day that is over shows its board and what was secret, and leads to its neighbours', async () => {
  const page = await on.visitor(DESKTOP);
  const { today } = await dayOf(await on.player(PHONE).then(([other]) => other));
  const day = new Date(Date.parse(today.day) - 86_400_000).toISOString().slice(0, 10);
  // The server of this test is younger than that.
  const past: PastDaily = {
    promise: { ...today, day, preset: 'initiate' },
    deal_version: 1,
    server_seed: '0123456789abcdef'.repeat(4),
    redeals: 0,
    board: 'R1S3R2/S1R3S2/-/- 7',
    optimum: 9,
    par: 11,
  };
  await page.route(`**/api/v1/daily/${day}`, (route) => route.fulfill({ json: past }));
  await page.goto(`${on.server.url}/daily/${day}`);
  await page.getByText('best 9, par 11').waitFor();
  expect(await page.locator('[data-server-seed]').textContent()).toBe(past.server_seed);
  expect(await page.locator('[data-commitment]').textContent()).toBe(today.commitment);
  await page.getByText('Nobody restored the Spire that day.').waitFor();
  await page.getByRole('img', { name: /Peg 1: Ruby 2, Sapphire 3, Ruby 1/ }).waitFor();
  await shoot(page, 'daily-past');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Today →' }).click();
  await page.getByText('There is one rated try.').waitFor();

  await page.goto(`${on.server.url}/daily/2026-02-30`);
  await page.getByText('2026-02-30 is no day').waitFor();
  expectNoErrors(page);
});
