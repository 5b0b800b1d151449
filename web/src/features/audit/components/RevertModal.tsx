import { Button, Dialog, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { AuditEntry } from '../../../../../src/contracts/audit.ts';
import type { RevertReply } from '../../../../../src/contracts/reverts.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { messageOf } from '../../../api/error.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { notify } from '../../../ui/notify.ts';
import { Banner, Loading } from '../../../ui/states.tsx';
import { Changes } from '../../history/index.ts';
import { changeOf, customerImpactQuery, Effects, effectsOfRevert, usersOf } from '../../impact/index.ts';
import type { AuditArea } from '../api/audit.ts';
import { revertQuery, useRevert } from '../api/reverts.ts';
import { auditTexts as texts } from '../texts.ts';

type RevertModalProps = { dialog: DialogState; area: AuditArea; entry: AuditEntry; customerId: CustomerId };

/** Who and what the revert affects, counted now. */
const Affected = ({ area, customerId, reply }: Pick<RevertModalProps, 'area' | 'customerId'> & { reply: RevertReply }) => {
  const body = reply.revert.kind === 'customer' ? reply.revert.body : undefined;
  const impact = useQuery({ ...customerImpactQuery(area, customerId, body && changeOf(body)), enabled: body !== undefined });
  return (
    body && <Effects query={impact} effectsOf={(decided) => effectsOfRevert(body, decided)} list={usersOf(area, customerId)} />
  );
};

/** Shows what takes an entry back, and asks before it does. */
export const RevertModal = ({ dialog, area, entry, customerId }: RevertModalProps) => {
  const cancel = useRef<HTMLButtonElement>(null);
  const { data, error } = useQuery(revertQuery(area, customerId, entry.id));
  const revert = useRevert(area, customerId);
  const mayWrite = { customer: usePermission('customers:write'), user: usePermission('users:write') };
  const isAllowed = data !== undefined && mayWrite[data.revert.kind];
  const press = () =>
    data &&
    revert.mutate(data.revert, {
      onSuccess: () => {
        notify.success(texts.reverted);
        dialog.close();
      },
      onError: (failure) => notify.error(messageOf(failure, texts.revertFailed)),
    });
  return (
    <Modal dialog={dialog} title={texts.revertTitle} description={entry.summary} role="alertdialog" initialFocus={cancel}>
      <Dialog.Body display="flex" flexDirection="column" gap="4">
        {error ? (
          <Banner tone="warning">{messageOf(error, texts.revertFailed)}</Banner>
        ) : data === undefined ? (
          <Loading label={texts.loadingRevert} height="96px" />
        ) : (
          <>
            <div>
              <Text textStyle="sm" fontWeight="medium">
                {data.revert.kind === 'user' ? texts.revertUser(data.revert.username) : texts.revertCustomer}
              </Text>
              <Changes changes={data.changes} />
            </div>
            <Affected area={area} customerId={customerId} reply={data} />
            {!isAllowed && <Banner tone="warning">{texts.revertForbidden}</Banner>}
          </>
        )}
      </Dialog.Body>
      <Dialog.Footer>
        <Button ref={cancel} variant="outline" onClick={dialog.close}>
          {texts.cancel}
        </Button>
        <BusyButton
          colorPalette="brand"
          onClick={press}
          disabled={!isAllowed || Boolean(error)}
          isBusy={revert.isPending}
          busyLabel={texts.reverting}
        >
          {texts.revert}
        </BusyButton>
      </Dialog.Footer>
    </Modal>
  );
};
