// Fingers and the mouse on a board: tap lifts, tap places, and a lifted disk may be dragged. A tap acts on the way
// down, so that nothing waits for the finger to leave; a drag acts where it ends.

/** What a pair of hands needs to know of its board. */
export interface HandsOf {
  /** The peg under a point of the board. */
  pegAt: (x: number, y: number) => number | null;
  /** The source of the held disk. */
  held: () => number | null;
  /** Lift from, or place on, that peg. */
  touch: (peg: number) => void;
  canAct: () => boolean;
}

interface Drag {
  pointer: number;
  /** Where the held disk came from. */
  source: number;
  /** The disk was in the hand before this touch: a tap on its source asks to put it back. */
  wasHeld: boolean;
  startX: number;
  startY: number;
}

/** A finger trembles by less. */
const DRAG_FROM_PX = 9;

/** Pointer events of one board. */
export class Hands {
  /** Where a dragged disk is, in the board's own pixels; `null` while nothing is dragged. */
  at = $state.raw<{ x: number; y: number } | null>(null);
  /** The peg under a dragged disk: where it would go. */
  readonly over = $derived(this.at === null ? null : this.#pegUnder(this.at));
  readonly #board: HandsOf;
  #drag: Drag | null = null;

  constructor(board: HandsOf) {
    this.#board = board;
  }

  down(event: PointerEvent): void {
    const { x, y, element } = point(event);
    const peg = this.#board.pegAt(x, y);
    if (event.button !== 0 || peg === null || !this.#board.canAct()) return;
    const held = this.#board.held();
    // A second finger may place what the first one holds up.
    if (held !== peg) this.#board.touch(peg);
    const source = this.#board.held();
    this.#end();
    if (source !== peg) return;
    element.setPointerCapture(event.pointerId);
    this.#drag = { pointer: event.pointerId, source, wasHeld: held === peg, startX: x, startY: y };
  }

  move(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag === null || drag.pointer !== event.pointerId) return;
    const { x, y } = point(event);
    const isFar = Math.hypot(x - drag.startX, y - drag.startY) >= DRAG_FROM_PX;
    if (this.at !== null || isFar) this.at = { x, y };
  }

  up(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag === null || drag.pointer !== event.pointerId) return;
    const isDragged = this.at !== null;
    this.#end();
    const { x, y } = point(event);
    const peg = isDragged ? this.#board.pegAt(x, y) : drag.source;
    // Dropped on its own peg or beside the table, the disk stays in the hand.
    const isAsked = isDragged ? peg !== drag.source : drag.wasHeld;
    if (peg !== null && isAsked && this.#board.held() === drag.source) this.#board.touch(peg);
  }

  cancel(event: PointerEvent): void {
    if (this.#drag?.pointer === event.pointerId) this.#end();
  }

  #pegUnder({ x, y }: { x: number; y: number }): number | null {
    return this.#board.pegAt(x, y);
  }

  #end(): void {
    this.#drag = null;
    this.at = null;
  }
}

function point(event: PointerEvent): { x: number; y: number; element: HTMLElement } {
  const element = event.currentTarget as HTMLElement;
  const box = element.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top, element };
}
