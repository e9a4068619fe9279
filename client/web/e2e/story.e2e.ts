// The page of rules and story: read whole on both screens, and every part has an address of its own.

import { expect, it } from 'vitest';
import { DESKTOP, PHONE, expectAccessible, expectNoErrors, shoot } from './browser';
import { stage } from './stage';

const on = stage();

it.each([['a desktop', DESKTOP], ['a phone', PHONE]] as const)('the rules are read on %s, and each part is found by its name', async (_, screen) => {
  const page = await on.visitor(screen);
  await page.goto(on.server.url);
  await page.getByRole('link', { name: 'Rules', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Rules and story' }).waitFor();
  await shoot(page, 'rules');
  await expectAccessible(page);
  const links = await page.getByRole('navigation', { name: 'Contents' }).getByRole('link').all();
  expect(links.length).toBeGreaterThan(9);
  for (const link of links) {
    await link.click();
    const id = new URL(page.url()).hash.slice(1);
    expect(await page.locator(`h2#${id}`).count(), id).toBe(1);
  }
  await page.goto(`${on.server.url}/rules#laws`);
  await page.reload();
  await page.getByRole('heading', { name: 'The four laws' }).waitFor();
  await page.waitForFunction(() => Math.abs(document.getElementById('laws')?.getBoundingClientRect().top ?? 999) < 60);
  await shoot(page, 'rules-laws');
  // The disks of the laws are seen, each where it is said to be.
  expect(await page.locator('[data-disk]').count()).toBeGreaterThan(30);
  expectNoErrors(page);
});
