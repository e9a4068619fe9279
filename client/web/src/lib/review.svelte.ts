// A round's analysis as a part of the page waits for it.

import { findReview } from './api';
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
      return wanted === null ? undefined : this.#ask(wanted, after());
    });
  }

  #ask(roundId: string, after: number): () => void {
    let isGone = false;
    let tries = 0;
    const look = async (): Promise<void> => {
      // Without it the rest of the page is as good as before.
      const found = await findReview(roundId).catch(() => null);
      if (isGone) return;
      this.isAwaited = typeof found === 'number' && ++tries < TRIES_MAX;
      if (this.isAwaited) timer = setTimeout(() => void look(), found as number);
      else if (typeof found !== 'number') this.review = found;
    };
    let timer = setTimeout(() => void look(), after);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }
}
