import { Button } from '@chakra-ui/react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { Palette } from '../../../ui/icons.ts';
import { customThemeTexts as texts } from '../texts.ts';

const AssignThemeModal = lazyDialog(async () => (await import('./AssignThemeModal.tsx')).AssignThemeModal);

/** Opens the dialog that gives the customer another theme. */
export const AssignThemeButton = ({ customer, size }: { customer: Customer; size: 'xs' | 'md' }) => {
  const assign = useDialog();
  return (
    <Allowed to="themes:assign">
      <Button
        size={size}
        variant="outline"
        aria-haspopup="dialog"
        {...(size === 'xs' && { 'aria-label': texts.actionsOf(texts.assign, customer.name) })}
        onClick={assign.open}
        onPointerEnter={AssignThemeModal.preload}
        onFocus={AssignThemeModal.preload}
      >
        <Palette aria-hidden />
        {texts.assign}
      </Button>
      <AssignThemeModal dialog={assign} customer={customer} />
    </Allowed>
  );
};
