import { lazyDialog } from '../../../ui/dialogs.tsx';

/** Suspends or reactivates customers after a preview. */
export const BulkStatusDialog = lazyDialog(async () => (await import('./BulkStatusModal.tsx')).BulkStatusModal);
/** Renews licenses after a preview. */
export const BulkRenewDialog = lazyDialog(async () => (await import('./BulkRenewModal.tsx')).BulkRenewModal);
/** Extends licenses after a preview. */
export const BulkExtendDialog = lazyDialog(async () => (await import('./BulkExtendModal.tsx')).BulkExtendModal);
/** Adds or removes tags after a preview. */
export const BulkTagDialog = lazyDialog(async () => (await import('./BulkTagModal.tsx')).BulkTagModal);
/** Changes plans of licenses after a preview. */
export const BulkPlanDialog = lazyDialog(async () => (await import('./BulkPlanModal.tsx')).BulkPlanModal);
/** Gives customers one theme after a preview. */
export const BulkThemeDialog = lazyDialog(async () => (await import('./BulkThemeModal.tsx')).BulkThemeModal);
/** Moves one customer to another service integrator after a preview. */
export const MoveCustomerDialog = lazyDialog(async () => (await import('./MoveCustomerModal.tsx')).MoveCustomerModal);
