// Something of the server's that changes, asked for again and again while the page is seen.

/** From one question to the next. */
const EVERY_MS = 5_000;

/** What the server said last. Asks only inside a component, and stops with it. */
export class Polled<T> {
  /** `null` until it has answered. */
  value = $state.raw<T | null>(null);
  /** Whether it did not answer the last time. */
  isUnreachable = $state(false);
  #isGone = false;

  constructor(ask: () => Promise<T>) {
    $effect(() => {
      void this.#look(ask);
      const timer = setInterval(() => void this.#look(ask), EVERY_MS);
      return () => {
        this.#isGone = true;
        clearInterval(timer);
      };
    });
  }

  async #look(ask: () => Promise<T>): Promise<void> {
    if (document.visibilityState !== 'visible') return;
    const answer = await ask().then(
      (value) => ({ value }),
      () => null,
    );
    if (this.#isGone) return;
    this.isUnreachable = answer === null;
    if (answer !== null) this.value = answer.value;
  }
}
