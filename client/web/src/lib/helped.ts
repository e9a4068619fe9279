// Which board the player was shown the way on: such a board says nothing of the player. Kept over a reload.

const KEY = 'sprint.helped';

/** The player has let a transfer of that round be made. */
export function markHelped(roundId: string): void {
  last = roundId;
  try {
    sessionStorage.setItem(KEY, roundId);
  } catch {
    // Without storage it is known for as long as the page is open.
  }
}

/** Whether the player has let a transfer of that round be made. */
export function wasHelped(roundId: string): boolean {
  return roundId === last;
}

let last = stored();

function stored(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}
