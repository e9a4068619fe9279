// Where the visitor is now, and how the page goes elsewhere without loading anew.

import { type Route, routeOf } from './route';

/** The current route. */
export const current = $state<{ route: Route }>({ route: routeOf(location.pathname) });

/** What the last step of this page has left behind; a reload, or the browser's back and forward, take it away. */
let lastBack: string | null = null;

/** Goes to a path of this page without loading it anew; `back` is a path that it may lead on to, also after a reload. */
export function go(path: string, back: string | null = null): void {
  history.pushState(back, '', path);
  lastBack = back;
  current.route = routeOf(path);
  scrollTo(0, 0);
}

/** The path that the way here has left behind, if any. */
export function leadsBack(): string | null {
  return typeof history.state === 'string' ? history.state : null;
}

/** The same for who has only just come that way: they may be led back unasked. */
export function leadsBackAtOnce(): string | null {
  return lastBack;
}

/** Follows the browser's back and forward. Returns what stops it. */
export function followHistory(): () => void {
  const follow = (): void => {
    lastBack = null;
    current.route = routeOf(location.pathname);
  };
  addEventListener('popstate', follow);
  return () => removeEventListener('popstate', follow);
}

/** For links of this page: plain clicks stay on the page, others do what the browser does. */
export function stay(event: MouseEvent): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.currentTarget as HTMLAnchorElement;
  event.preventDefault();
  go(link.pathname + link.search);
}
