// The settings over a running race: another language and another light are there at once, and the race goes on.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { RoomInfo } from '../src/lib/protocol';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, shoot } from './browser';
import { byKeyboard, play, takeName, waitForMoves, waitForRace } from './player';
import { stage } from './stage';

const on = stage();

/** A room on a board of three transfers. */
async function openRoom(): Promise<string> {
  const post = async <T>(path: string, body: unknown, token?: string): Promise<T> => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${on.server.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as T;
  };
  const { token } = await post<{ token: string }>('/players', {});
  return `${on.server.url}/r/${(await post<RoomInfo>('/rooms', { blueprint: 'R2S1/S2R1/-/- 7' }, token)).code}`;
}

async function race(): Promise<[Page, Page]> {
  const link = await openRoom();
  const [ada, lucas] = [await on.visitor(DESKTOP), await on.visitor(PHONE)];
  for (const [page, name] of [[ada, 'Ada'], [lucas, 'Lucas']] as const) {
    await page.goto(link);
    await takeName(page, name, 'Join');
    await page.getByRole('button', { name: 'I am ready' }).click();
  }
  await Promise.all([waitForRace(ada), waitForRace(lucas)]);
  return [ada, lucas];
}

it('another language is chosen in the middle of a race, which neither stops nor begins anew', async () => {
  const [ada, lucas] = await race();
  let sockets = 0;
  ada.on('websocket', () => (sockets += 1));
  await play(ada, [[1, 3]], byKeyboard);
  await ada.locator('[data-peg="1"]').evaluate((peg) => peg.setAttribute('data-marked', 'yes'));
  await ada.getByRole('button', { name: 'Settings' }).focus();
  await ada.keyboard.press('Enter');
  await ada.getByRole('dialog', { name: 'Settings' }).waitFor();
  // Keys in the dialog are not for the board.
  await ada.keyboard.press('2');
  await expectAccessible(ada);
  await shoot(ada, 'settings');
  await ada.getByLabel('Deutsch').check({ force: true });
  await ada.getByRole('dialog', { name: 'Einstellungen' }).waitFor();
  await ada.getByLabel('Hell', { exact: true }).check({ force: true });
  expect(await ada.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme])).toEqual(['de', 'light']);
  await shoot(ada, 'settings-german');
  await ada.keyboard.press('Escape');
  await ada.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await ada.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Einstellungen');
  // The same board with the same hand, on the same connection.
  expect(await ada.locator('[data-marked]').count()).toBe(1);
  await ada.getByRole('button', { name: 'Aufgeben' }).waitFor();
  await play(ada, [[2, 1]], byKeyboard);
  await waitForMoves(ada, 2);
  await shoot(ada, 'race-german');
  await play(ada, [[3, 2]], byKeyboard);
  await ada.getByRole('heading', { name: 'Die Spire ist erneuert!' }).waitFor();
  await lucas.getByRole('heading', { name: 'Ada restored the Spire' }).waitFor();
  await expectAccessible(ada);
  await shoot(ada, 'result-german');
  expect(sockets).toBe(0);
  expectNoErrors(ada);
  expectNoErrors(lucas);
});
