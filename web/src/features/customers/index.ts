export { customersQuery } from './api/customers.ts';
export { CreateCustomerButton } from './components/CreateCustomerButton.tsx';
export { customerItem, customerKey, recentColumns } from './components/customerRows.tsx';
export { DeletionBadge, DeletionFilter, DeletionNotice } from './components/DeletionRequests.tsx';
export { customerTexts } from './texts.ts';
