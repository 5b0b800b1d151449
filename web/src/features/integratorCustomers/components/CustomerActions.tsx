import { Flex } from '@chakra-ui/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { messageOf } from '../../../api/error.ts';
import { isThemeId } from '../../../api/ids.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { useIntegratorSession } from '../../../session/session.ts';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ItemAction } from '../../../ui/ItemAction.tsx';
import { Pencil } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { AssignThemeButton, customThemeQuery } from '../../customThemes/index.ts';
import { ownCustomerQuery } from '../api/integratorCustomers.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';

const EditListedCustomerModal = lazyDialog(async () => (await import('./EditListedCustomerModal.tsx')).EditListedCustomerModal);

/** The customer is fetched before it is edited, because the list does not contain its version. */
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
      <Allowed to="customers:write">
        <ItemAction
          label={texts.edit}
          name={texts.actionsOf(texts.edit, customer.name)}
          icon={Pencil}
          onPress={open}
          opens={EditListedCustomerModal}
          isBusy={editable.isPending}
        />
      </Allowed>
      {editable.data && <EditListedCustomerModal dialog={edit} {...editable.data} />}
    </Flex>
  );
};
