// Which dialogs of the page are open: whatever part of it asks for one.

/** What is open now. */
export const dialogs = $state({ settings: false });

/** Opens the settings over whatever the page shows. */
export function openSettings(): void {
  dialogs.settings = true;
}
