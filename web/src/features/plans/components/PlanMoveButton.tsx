import type { Customer } from '../../../../../src/contracts/customers.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { planFilterTexts as texts } from '../filterTexts.ts';

const PlanMoveModal = lazyDialog(async () => (await import('./PlanMoveModal.tsx')).PlanMoveModal);

/** Opens the dialog in which an administrator moves a license to another plan. */
export const PlanMoveButton = ({ customer }: { customer: Customer }) => {
  const dialog = useDialog();
  return (
    <Allowed to="customers:write">
      <OpenDialogButton dialog={dialog} preload={PlanMoveModal.preload} size="xs">
        {texts.move}
      </OpenDialogButton>
      <PlanMoveModal dialog={dialog} customer={customer} />
    </Allowed>
  );
};
