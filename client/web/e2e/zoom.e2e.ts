// The page at 200 % on a laptop, and on the narrowest screen that text has to reflow on: nothing hides or hangs over.

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectNoErrors, expectToFit, shoot } from './browser';
import { throughScreens } from './screens';
import { stage } from './stage';

const on = stage();

it.each([
  ['1280 × 800 at 200 %', { width: 640, height: 400 }],
  ['320 pixels', { width: 320, height: 640 }],
] as const)('at %s nothing scrolls sideways, every control is reached, and a race is played to its end', async (_, screen) => {
  const page = await on.visitor(screen);
  await throughScreens(on, page, async (name) => {
    await expectToFit(page, name);
    expect(await unreached(page), `${name}: what cannot be reached`).toEqual([]);
    if (name === 'race') await expectBoardInView(page);
    await shoot(page, `zoom-${name}`);
  });
  expectNoErrors(page);
});

/** The controls that are not on top of the page where they are scrolled to. */
function unreached(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll('button, a, summary, select, input')) {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.visually-hidden, [inert]') !== null) continue;
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      // A link may go over two lines: its first one is what is aimed at.
      const box = element.getClientRects()[0];
      if (box === undefined) continue;
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      const aim = element.closest('label') ?? element;
      if (top === null || !(aim.contains(top) || top.contains(element))) found.push(element.outerHTML.replace(/\s+/g, ' ').slice(0, 90));
    }
    scrollTo(0, 0);
    return found;
  });
}

/** Every peg is on the screen at once, as wide as a finger. */
async function expectBoardInView(page: Page): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await page.locator('[data-peg="1"]').scrollIntoViewIfNeeded();
  for (const peg of await page.locator('[data-peg]').all()) {
    const box = await peg.boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(44);
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(Math.min(height, (box?.y ?? 0) + (box?.height ?? 0)) - Math.max(0, box?.y ?? 0), 'of a peg on the screen').toBeGreaterThan(120);
  }
}
