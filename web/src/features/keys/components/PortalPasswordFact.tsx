import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Fact } from '../../../ui/Facts.tsx';
import { keyTexts } from '../texts.ts';

const { password: texts } = keyTexts;
const ResetPasswordDialog = lazyDialog(async () => (await import('./ResetPasswordDialog.tsx')).ResetPasswordDialog);

/** Whether a customer has a portal password, and the button that resets it. */
export const PortalPasswordFact = ({ manager, customer }: { manager: CustomerManager; customer: Customer }) => {
  const dialog = useDialog();
  const mayReset = usePermission('passwords:reset');
  return (
    <Fact label={texts.label}>
      <span>{customer.hasPassword ? texts.set : texts.notSet}</span>
      {mayReset && customer.hasPassword && (
        <OpenDialogButton dialog={dialog} preload={ResetPasswordDialog.preload} size="xs">
          {texts.reset}
        </OpenDialogButton>
      )}
      <ResetPasswordDialog dialog={dialog} manager={manager} customer={customer} />
    </Fact>
  );
};
