// The page from right to left, as it would be for a language that is written so: it turns round, and boards do not.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, PHONE, expectNoErrors, expectToFit, shoot } from './browser';
import { throughScreens } from './screens';
import { stage } from './stage';

const on = stage();

it.each([['a desktop', DESKTOP], ['a phone', PHONE]] as const)('from right to left nothing overlaps or hangs over on %s, and peg 1 stays left', async (_, screen) => {
  const page = await on.visitor(screen);
  await page.addInitScript(() => document.addEventListener('readystatechange', () => (document.documentElement.dir = 'rtl')));
  await throughScreens(on, page, async (name) => {
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('rtl');
    await expectToFit(page, name);
    expect(await overlaps(page), `${name}: what overlaps`).toEqual([]);
    // Boards take their size a moment after they came.
    await expect.poll(() => turnedBoards(page), { message: `${name}: boards that are turned round`, timeout: 20_000 }).toEqual([]);
    await shoot(page, `rtl-${name}`);
  });
  expectNoErrors(page);
});

/** The pairs of controls that lie on one another. What floats over the page is no neighbour of what scrolls below it. */
function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const floats = (element: Element | null): boolean => {
      for (let at = element; at !== null; at = at.parentElement) if (/^(fixed|sticky)$/.test(getComputedStyle(at).position)) return true;
      return false;
    };
    const controls = [...document.querySelectorAll('button, a.button, summary, select, input, nav a')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.closest('.visually-hidden, [inert]') === null)
      // A choice is as large as its label.
      .map((element) => element.closest('label') ?? element);
    const boxes = [...new Set(controls)].map((element) => ({ element, floats: floats(element), box: element.getBoundingClientRect() }));
    const name = (element: Element): string => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
    return boxes.flatMap((a, index) =>
      boxes.slice(index + 1).flatMap((b) => {
        const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        const isInside = a.element.contains(b.element) || b.element.contains(a.element);
        return wide > 1 && high > 1 && !isInside && a.floats === b.floats ? [`${name(a.element)} on ${name(b.element)}`] : [];
      }),
    );
  });
}

/** The boards whose pegs do not go from left to right, or whose disks do not stand in them. */
function turnedBoards(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const middle = (element: Element): number => (element.getBoundingClientRect().left + element.getBoundingClientRect().right) / 2;
    const pegs = [...document.querySelectorAll('[data-peg]')].sort((a, b) => Number(a.getAttribute('data-peg')) - Number(b.getAttribute('data-peg')));
    if (pegs.some((peg, index) => index > 0 && middle(peg) <= middle(pegs[index - 1] as Element))) found.push('pegs of the board');
    for (const disk of document.querySelectorAll('[data-disk]')) {
      const board = (disk.closest('[role="img"], [role="group"]') ?? disk.parentElement)?.getBoundingClientRect();
      const box = disk.getBoundingClientRect();
      if (board !== undefined && box.width > 0 && (middle(disk) < board.left || middle(disk) > board.right)) {
        found.push(`disk ${disk.getAttribute('data-disk')}: ${Math.round(middle(disk))} outside ${Math.round(board.left)}–${Math.round(board.right)}`);
      }
    }
    return found;
  });
}
