const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]';

/** A dialog that is being closed is in the document until its animation ends. */
const OPEN_DIALOG = ':is([role=dialog], [role=alertdialog]):not([data-state=closed])';

/** Whether a dialog is open, whose form may be unsaved. */
export const isDialogOpen = (): boolean => document.querySelector(OPEN_DIALOG) !== null;

/** Whether an event may be a shortcut of one key: nothing else used it, no text is typed and no dialog is open. */
export const isSingleKey = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.isComposing &&
  !(event.target instanceof Element && event.target.closest(TYPING)) &&
  !isDialogOpen();

/** The preference that turns shortcuts of one key off; speech input can press them by accident. */
export const SHORTCUTS = 'shortcuts';
