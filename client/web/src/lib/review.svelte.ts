// A round's analysis as a part of the page waits for it.

import { findReview } from './api/rounds';
import { identity } from './identity.svelte';
import type { Review } from './protocol';

/** After so many answers that it is not there yet, nobody waits any longer. */
const TRIES_MAX = 120;

/** The analysis of a round, asked for until it is there. Asks only inside a component, and stops with it. */
export class ReviewOf {
  review = $state.raw<Review | null>(null);
  /** Whether the server is at work on it. */
  isAwaited = $state(false);

  /** `roundId` is `null` until there is something to ask for; it is asked for `after` milliseconds. */
  constructor(roundId: () => string | null, after: () => number = () => 0) {
    $effect(() => {
      const wanted = roundId();
      if (wanted === null) return undefined;
      return askForReview(wanted, after(), (review, isAwaited) => {
        this.review = review;
        this.isAwaited = isAwaited;
      });
    });
  }
}

/**
 * Asks for a round's analysis from `afterMs` milliseconds on, as often as it takes, and tells how it stands after each
 * answer: the analysis once it is there, and whether it is still being worked out. The way to stop is returned.
 */
export function askForReview(
  roundId: string,
  afterMs: number,
  tell: (review: Review | null, isAwaited: boolean) => void,
): () => void {
  let isGone = false;
  let tries = 0;
  const look = async (): Promise<void> => {
    // Without it the rest of the page is as good as before.
    const found = await findReview(roundId, identity.player?.token).catch(() => null);
    if (isGone) return;
    const againInMs = typeof found === 'number' && ++tries < TRIES_MAX ? found : null;
    if (againInMs !== null) timer = setTimeout(() => void look(), againInMs);
    tell(typeof found === 'number' ? null : found, againInMs !== null);
  };
  let timer = setTimeout(() => void look(), afterMs);
  return () => {
    isGone = true;
    clearTimeout(timer);
  };
}
