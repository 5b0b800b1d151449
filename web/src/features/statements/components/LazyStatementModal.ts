import { lazyDialog } from '../../../ui/dialogs.tsx';

/** Downloads the statement of usage of a month. Loaded on demand. */
export const StatementModal = lazyDialog(async () => (await import('./StatementModal.tsx')).StatementModal);
