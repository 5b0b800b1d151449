import type { Customer } from '../../../../../src/contracts/customers.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { customerTexts } from '../texts.ts';
import { MoveCustomerDialog } from './lazyBulkDialogs.ts';

/** Opens the dialog in which an administrator moves a customer to another service integrator. */
export const MoveCustomerButton = ({ customer }: { customer: Customer }) => {
  const dialog = useDialog();
  return (
    <Allowed to="customers:write">
      <OpenDialogButton dialog={dialog} preload={MoveCustomerDialog.preload} size="xs" aria-label={customerTexts.moveCustomer}>
        {customerTexts.move}
      </OpenDialogButton>
      <MoveCustomerDialog dialog={dialog} customer={customer} />
    </Allowed>
  );
};
