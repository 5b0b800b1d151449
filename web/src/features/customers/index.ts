export { type CustomerFilter, customersQuery } from './api/customers.ts';
export { CreateCustomerButton } from './components/CreateCustomerButton.tsx';
export {
  customerColumns,
  customerItem,
  customerKey,
  customerName,
  customerPath,
  recentColumns,
} from './components/customerRows.tsx';
export { DeletionBadge, DeletionFilter, DeletionNotice } from './components/DeletionRequests.tsx';
export { LazyCustomerBulkBar } from './components/LazyCustomerBulkBar.ts';
export { BulkStatusDialog, BulkThemeDialog, MoveCustomerDialog } from './components/lazyBulkDialogs.ts';
export { limitIn, typedLimit } from './machineLimit.ts';
export { customerTexts } from './texts.ts';
