import { Button, Flex } from '@chakra-ui/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { messageOf } from '../../../api/error.ts';
import { isThemeId } from '../../../api/ids.ts';
import { useIntegratorSession } from '../../../session/session.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { Palette, Pencil } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { customThemeQuery } from '../../customThemes/api/customThemes.ts';
import { customThemeTexts } from '../../customThemes/texts.ts';
import { ownCustomerQuery } from '../api/integratorCustomers.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';

const EditListedCustomerModal = lazyDialog(async () => (await import('./EditListedCustomerModal.tsx')).EditListedCustomerModal);
const AssignThemeModal = lazyDialog(
  async () => (await import('../../customThemes/components/AssignThemeModal.tsx')).AssignThemeModal,
);

/** What is edited is fetched first: the list does not know which version of the customer it shows. */
const useEditable = (customer: Customer) => {
  const queries = useQueryClient();
  const { id: owner } = useIntegratorSession();
  return useMutation({
    mutationFn: async () => {
      const seen = await queries.fetchQuery({ ...ownCustomerQuery(customer.id), staleTime: 0 });
      const { theme } = seen.customer;
      if (!isThemeId(theme)) return { ...seen, themeName: theme ?? '' };
      return { ...seen, themeName: (await queries.ensureQueryData(customThemeQuery(owner, theme))).theme.themeName };
    },
  });
};

/** Opens the dialog that gives the customer another theme. */
export const AssignThemeButton = ({ customer, size }: { customer: Customer; size: 'xs' | 'md' }) => {
  const assign = useDialog();
  return (
    <>
      <Button
        size={size}
        variant="outline"
        aria-haspopup="dialog"
        {...(size === 'xs' && { 'aria-label': texts.actionsOf(customThemeTexts.assign, customer.name) })}
        onClick={assign.open}
        onPointerEnter={AssignThemeModal.preload}
        onFocus={AssignThemeModal.preload}
      >
        <Palette aria-hidden />
        {customThemeTexts.assign}
      </Button>
      <AssignThemeModal dialog={assign} customer={customer} />
    </>
  );
};

/** What can be done with a customer in the list. */
export const CustomerActions = ({ customer }: { customer: Customer }) => {
  const edit = useDialog();
  const editable = useEditable(customer);
  const open = () =>
    editable.mutate(undefined, {
      onSuccess: edit.open,
      onError: (error) => notify.error(messageOf(error, texts.loadOneFailed)),
    });
  return (
    <Flex gap="2">
      <AssignThemeButton customer={customer} size="xs" />
      <BusyButton
        size="xs"
        variant="outline"
        aria-haspopup="dialog"
        aria-label={texts.actionsOf(texts.edit, customer.name)}
        onClick={open}
        isBusy={editable.isPending}
        onPointerEnter={EditListedCustomerModal.preload}
        onFocus={EditListedCustomerModal.preload}
      >
        <Pencil aria-hidden />
        {texts.edit}
      </BusyButton>
      {editable.data && <EditListedCustomerModal dialog={edit} {...editable.data} />}
    </Flex>
  );
};
