// Starts the service worker (public/sw.js) once the page stands, and tells it when this window is all there is.
//
// What the page itself wants to have without a network it keeps in the cache `BOARDS`, which the worker leaves alone. A part of
// the page that was loaded once is there without a network, too.

/** The page's own cache: solo boards that were loaded, for the page at `/offline`. */
export const BOARDS = 'sprint-boards';

/** To be called after the first paint: nothing of this may delay it. */
export function startWorker(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  const start = (): void => void register().catch(() => undefined);
  if (document.readyState === 'complete') whenIdle(start);
  else addEventListener('load', () => whenIdle(start), { once: true });
}

/** Browsers that keep nothing, as in private windows, refuse; the page does without. */
async function register(): Promise<void> {
  await navigator.serviceWorker.register('/sw.js', { scope: '/', updateViaCache: 'none' });
  const { active } = await navigator.serviceWorker.ready;
  const build = document.querySelector('script[type="module"][src^="/assets/"]')?.getAttribute('src');
  active?.postMessage({ type: 'shown', build });
}

function whenIdle(then: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(then, { timeout: 5_000 });
  else setTimeout(then, 1_000);
}
