import { Flex, Text } from '@chakra-ui/react';
import { messageOf } from '../../../api/error.ts';
import { format } from '../../../lib/format.ts';
import { useCustomerSession } from '../../../session/session.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { DeleteButton } from '../../../ui/DeleteButton.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useWithdrawDeletion } from '../api/profile.ts';
import { profileTexts as texts } from '../texts.ts';

const RequestDeletionDialog = lazyDialog(async () => (await import('./RequestDeletionDialog.tsx')).RequestDeletionDialog);

/** Requests the deletion of the account, or withdraws the request. */
export const DeletionCard = () => {
  const customer = useCustomerSession();
  const dialog = useDialog();
  const withdraw = useWithdrawDeletion(customer.id);
  const requestedAt = customer.deletionRequestedAt;
  const press = () =>
    withdraw.mutate(undefined, {
      onSuccess: () => notify.success(texts.withdrawn),
      onError: (error) => notify.error(messageOf(error, texts.withdrawFailed)),
    });
  return (
    <Card as="section" aria-label={texts.deletion}>
      <CardHead title={texts.deletion} />
      <Flex
        px={{ base: '4', md: '5' }}
        pb="5"
        gap="4"
        align={{ base: 'stretch', md: 'center' }}
        justify="space-between"
        direction={{ base: 'column', md: 'row' }}
      >
        <Text textStyle="sm" color="fg.muted" maxW="70ch" textWrap="pretty">
          {requestedAt ? texts.requestedOn(format.date(requestedAt)) : texts.deletionText}
        </Text>
        {requestedAt ? (
          <BusyButton variant="outline" onClick={press} isBusy={withdraw.isPending} busyLabel={texts.withdrawing}>
            {texts.withdraw}
          </BusyButton>
        ) : (
          <DeleteButton onClick={dialog.open} onIntent={RequestDeletionDialog.preload}>
            {texts.request}
          </DeleteButton>
        )}
      </Flex>
      <RequestDeletionDialog dialog={dialog} customer={customer} />
    </Card>
  );
};
