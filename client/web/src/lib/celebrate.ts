// Harmony is celebrated over the board on which it came, and outlives the race's page by a moment: the result is shown
// under it. It is loaded when it is needed, takes no touch, and never keeps anything waiting.

import { mount, unmount } from 'svelte';

const LASTS_MS = 1_900;

/** Celebrates over an element. */
export function celebrate(over: Element | null): void {
  if (over === null) return;
  const { left, top, width, height } = over.getBoundingClientRect();
  void import('../parts/Celebration.svelte').then(
    ({ default: Celebration }) => {
      const shown = mount(Celebration, { target: document.body, props: { left, top, width, height } });
      setTimeout(() => void unmount(shown), LASTS_MS);
    },
    // Harmony is harmony without it.
    () => undefined,
  );
}
