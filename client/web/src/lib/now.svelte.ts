// The time for what ticks on the page: this page's monotonic clock, read a few times a second.

/** A ticking reading of `performance.now()`. Ticks only inside a component, and stops with it. */
export class Ticker {
  now = $state(performance.now());

  constructor(everyMs: number) {
    $effect(() => {
      const timer = setInterval(() => {
        this.now = performance.now();
      }, everyMs);
      return () => clearInterval(timer);
    });
  }
}
