// One person on two devices, the ways out of an account, and a host among guests, against the real server.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, shoot } from './browser';
import { takeName } from './player';
import { startServer } from './server';
import { stage } from './stage';

const on = stage();

/** Somebody new with this name, on the page of the account. */
async function person(name: string, viewport = DESKTOP): Promise<Page> {
  const page = await on.visitor(viewport);
  await page.goto(`${on.server.url}/me`);
  await takeName(page, name, 'Take it');
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  return page;
}

/** That page opens a room; its address. */
async function opens(page: Page): Promise<string> {
  await page.goto(on.server.url);
  await page.getByRole('button', { name: 'Open the room' }).click();
  await page.getByRole('heading', { name: 'The lobby' }).waitFor();
  return page.url();
}

it('a code takes a player along to a phone, and logging out everywhere ends both', async () => {
  const desk = await person('Ada');
  await expectAccessible(desk);
  await shoot(desk, 'account');
  await desk.getByRole('button', { name: 'Show a code' }).click();
  await desk.getByRole('img', { name: /QR code/ }).waitFor();
  await expectAccessible(desk);
  await shoot(desk, 'account-code');
  const code = (await desk.locator('[data-link-code]').textContent()) ?? '';

  const phone = await on.visitor(PHONE);
  await phone.goto(`${on.server.url}/me`);
  await phone.getByRole('heading', { name: 'Who are you?' }).waitFor();
  await expectAccessible(phone);
  await shoot(phone, 'account-nobody');
  await phone.goto(`${on.server.url}/link#${code}`);
  expect(await phone.getByLabel('Code').inputValue()).toBe(code);
  expect(new URL(phone.url()).hash).toBe('');
  await expectAccessible(phone);
  await shoot(phone, 'link');
  await phone.getByRole('button', { name: 'Use it' }).click();
  await phone.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
  await shoot(phone, 'account');
  await phone.goto(`${on.server.url}/link#${code}`);
  await phone.getByText('This browser plays as Ada.').waitFor();
  await phone.getByRole('button', { name: 'Use it' }).click();
  await phone.getByText(/a code works once/).waitFor();
  await shoot(phone, 'link-again');

  const tab = await desk.context().newPage();
  await tab.goto(`${on.server.url}/leaderboard`);
  await tab.getByRole('link', { name: 'Ada', exact: true }).waitFor();
  const idle = await phone.context().newPage();
  await idle.goto(`${on.server.url}/me`);
  await idle.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
  await opens(phone);
  await desk.getByRole('button', { name: 'Log out everywhere' }).click();
  await desk.getByRole('button', { name: 'Really, everywhere?' }).click();
  await desk.getByText('You are logged out everywhere.').waitFor();
  await phone.getByRole('heading', { name: /Join room/ }).waitFor();
  // Every page of the two says so, and leads to the way in.
  for (const page of [phone, idle, tab]) await page.getByText('Ada is not logged in here any more').waitFor();
  await expectAccessible(phone);
  await shoot(phone, 'logged-out');
  await phone.getByRole('link', { name: 'Log in again' }).click();
  await phone.getByRole('heading', { name: 'Known here' }).waitFor();
  expect(await phone.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada');
  await shoot(phone, 'account-logged-out');
  expectNoErrors(desk);
  expectNoErrors(phone, /404/);
});

it('the page of the account finds out that the player was logged out on another device, and who was renamed there', async () => {
  const [desk, phone] = [await person('Hedy'), await on.visitor(PHONE)];
  await desk.getByRole('button', { name: 'Show a code' }).click();
  const code = (await desk.locator('[data-link-code]').textContent()) ?? '';
  await phone.goto(`${on.server.url}/link#${code}`);
  await phone.getByRole('button', { name: 'Use it' }).click();
  await phone.getByRole('heading', { name: 'Hedy', level: 1 }).waitFor();
  await takeName(phone, 'Hedy Lamarr', 'Rename');
  await phone.getByRole('heading', { name: 'Hedy Lamarr', level: 1 }).waitFor();
  await desk.reload();
  await desk.getByRole('heading', { name: 'Hedy Lamarr', level: 1 }).waitFor();
  await phone.getByRole('button', { name: 'Log out everywhere' }).click();
  await phone.getByRole('button', { name: 'Really, everywhere?' }).click();
  await phone.getByText('You are logged out everywhere.').waitFor();
  // Whatever the page of another device is asked for next, it says what has happened.
  await desk.getByRole('button', { name: 'Show another code' }).or(desk.getByRole('button', { name: 'Show a code' })).click();
  await desk.getByText('Hedy Lamarr is not logged in here any more').waitFor();
  await desk.getByRole('heading', { name: 'Known here' }).waitFor();
  expectNoErrors(desk, /401/);
});

it('a password brings a player back, and typing the name deletes them', async () => {
  const page = await person('Grace');
  await page.getByLabel('New password').fill('correct horse');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByText('This is your password from now on.').waitFor();
  await page.getByLabel('New password').fill('battery staple');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByText('You have a password already').waitFor();
  await page.getByLabel('Password so far').fill('correct horse');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByText('This is your password from now on.').waitFor();
  await takeName(page, 'Amazing Grace', 'Rename');
  await page.getByRole('heading', { name: 'Amazing Grace', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Log out everywhere' }).click();
  await page.getByRole('button', { name: 'Really, everywhere?' }).click();
  await page.getByRole('heading', { name: 'Known here' }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('amazing grace');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('the name or the password is wrong').waitFor();
  await page.getByLabel('Password', { exact: true }).fill('battery staple');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Amazing Grace', level: 1 }).waitFor();

  const remove = page.getByRole('button', { name: 'Delete' });
  await page.getByLabel(/to confirm/).fill('Grace');
  expect(await remove.isDisabled()).toBe(true);
  await page.getByLabel(/to confirm/).fill('Amazing Grace');
  await remove.click();
  await page.getByText('You are deleted').waitFor();
  await takeName(page, 'Amazing Grace', 'Take it');
  await page.getByRole('heading', { name: 'Amazing Grace', level: 1 }).waitFor();
  expectNoErrors(page, /403/);
});

it('a host starts, shows emotes, passes the room on and is sent away', async () => {
  const [ida, lin] = [await person('Ida'), await person('Lin', PHONE)];
  const link = await opens(ida);
  await lin.goto(link);
  const host = ida.getByRole('region', { name: 'Host' });
  await host.getByText('Lin will be taken as ready.').waitFor();
  await expectAccessible(ida);
  await shoot(ida, 'lobby-host');

  await lin.getByRole('button', { name: 'Emotes' }).click();
  await expectAccessible(lin);
  await shoot(lin, 'emotes');
  await lin.getByRole('button', { name: 'Good luck!' }).click();
  await ida.locator('[data-emote="good_luck"]').waitFor();
  expect(await ida.locator('[data-spoken]').textContent()).toBe('Lin: Good luck!');
  await shoot(ida, 'emote-shown');
  await ida.keyboard.press('m');
  await ida.getByText('The others’ emotes are muted.').first().waitFor();
  await lin.getByRole('button', { name: 'Emotes' }).click();
  await lin.getByRole('button', { name: 'Hurry up!' }).click();
  await lin.locator('[data-emote="hurry"]').waitFor();
  expect(await ida.locator('[data-emote="hurry"]').count()).toBe(0);
  // The choice lasts over a reload.
  await ida.reload();
  await ida.getByRole('button', { name: /^Emotes ?, muted/ }).waitFor();

  await host.getByRole('button', { name: /Make host.*Lin/ }).click();
  await lin.getByRole('region', { name: 'Host' }).waitFor();
  await expectAccessible(lin);
  await shoot(lin, 'lobby-host');
  await lin.getByRole('button', { name: 'Send away' }).click();
  await lin.getByRole('button', { name: 'For good?' }).click();
  await ida.getByRole('heading', { name: 'You were sent away' }).waitFor();
  await shoot(ida, 'kicked');
  await ida.reload();
  await ida.getByRole('heading', { name: 'You were sent away' }).waitFor();

  const ruth = await person('Ruth');
  await ruth.goto(link);
  await lin.getByText('Ruth will be taken as ready.').waitFor();
  await lin.getByRole('button', { name: 'Start now' }).click();
  for (const page of [lin, ruth]) await page.locator('[data-peg="1"]').waitFor();
  await shoot(lin, 'race-emotes');
  await shoot(ruth, 'race-emotes');
  expectNoErrors(ida);
  expectNoErrors(lin);
});

it('a host who leaves passes the room on, and a lobby in which nothing happens closes', async () => {
  const idle = await startServer(['--idle-ms', '4000']);
  const [ida, lin] = await Promise.all([on.visitor(DESKTOP), on.visitor(PHONE)]);
  await ida.goto(idle.url);
  await ida.getByRole('button', { name: 'Open the room' }).click();
  await ida.getByRole('heading', { name: 'The lobby' }).waitFor();
  await lin.goto(ida.url());
  await takeName(lin, 'Lin', 'Join');
  await lin.getByRole('heading', { name: 'The lobby' }).waitFor();
  expect(await lin.getByRole('region', { name: 'Host' }).count()).toBe(0);
  await ida.getByRole('button', { name: 'Leave' }).click();
  await lin.getByRole('region', { name: 'Host' }).waitFor();
  await lin.getByRole('heading', { name: 'This room is closed' }).waitFor();
  await shoot(lin, 'room-closed');
  await lin.getByRole('link', { name: 'To the start page' }).click();
  await lin.getByText('You play as Lin').waitFor();
  expectNoErrors(ida);
  expectNoErrors(lin);
  await idle.stop();
});
