// An instant of a race in the page's address: `?t=12.3`, seconds from T0.

/** The instant that an address names, in milliseconds; 0 if it names none. */
export function instantOf(search: string): number {
  const seconds = Number(new URLSearchParams(search).get('t') ?? '0');
  return Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : 0;
}

/** The path of a round's page at an instant. */
export function instantPath(roundId: string, ms: number): string {
  const seconds = (Math.round(ms) / 1000).toString();
  return ms > 0 ? `/m/${roundId}?t=${seconds}` : `/m/${roundId}`;
}
