import type { Customer } from '../../../../../src/contracts/customers.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Palette } from '../../../ui/icons.ts';
import { customThemeTexts as texts } from '../texts.ts';

const AssignThemeModal = lazyDialog(async () => (await import('./AssignThemeModal.tsx')).AssignThemeModal);

/** Opens the dialog that gives the customer another theme. */
export const AssignThemeButton = ({ customer, size }: { customer: Customer; size: 'xs' | 'md' }) => {
  const assign = useDialog();
  return (
    <Allowed to="themes:assign">
      <OpenDialogButton
        dialog={assign}
        preload={AssignThemeModal.preload}
        size={size}
        {...(size === 'xs' && { 'aria-label': texts.actionsOf(texts.assign, customer.name) })}
      >
        <Palette aria-hidden />
        {texts.assign}
      </OpenDialogButton>
      <AssignThemeModal dialog={assign} customer={customer} />
    </Allowed>
  );
};
