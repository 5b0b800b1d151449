import { Button, Dialog, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { AuditEntry } from '../../../../../src/contracts/audit.ts';
import type { UpdateCustomer } from '../../../../../src/contracts/customers.ts';
import type { AccountStatus } from '../../../../../src/domain/enumerations.ts';
import type { CustomerId, IntegratorId } from '../../../../../src/domain/ids.ts';
import type { Permission } from '../../../../../src/domain/permissions.ts';
import { messageOf } from '../../../api/error.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { notify } from '../../../ui/notify.ts';
import { Banner, Loading } from '../../../ui/states.tsx';
import { Changes } from '../../history/index.ts';
import {
  changeOf,
  customerImpactQuery,
  Effects,
  effectsOfRevert,
  effectsOnIntegrator,
  effectsOnMember,
  effectsOnUser,
  integratorImpactQuery,
  memberImpactQuery,
  userImpactQuery,
  usersOf,
} from '../../impact/index.ts';
import type { AuditArea } from '../api/audit.ts';
import { type RevertPreview, revertQuery, useRevert, usersPath } from '../api/reverts.ts';
import { auditTexts as texts } from '../texts.ts';

type Revert = RevertPreview['revert'];
type RevertModalProps = {
  dialog: DialogState;
  area: AuditArea;
  entry: AuditEntry;
  /** What the change of the object needs. */
  needs: Permission;
  /** The customer whom the entry changed, if it is one. */
  customerId: CustomerId | null;
};

/** What changes, with its name. */
const titleOf = (revert: Revert): string => {
  switch (revert.kind) {
    case 'customer':
      return texts.revertCustomer;
    case 'user':
      return texts.revertUser(revert.username);
    case 'theme':
      return texts.revertTheme(revert.name);
    case 'plan':
      return texts.revertPlan(revert.name);
    case 'alertRule':
      return texts.revertAlertRule(revert.name);
    case 'policy':
      return texts.revertPolicy;
    case 'integrator':
    case 'brand':
    case 'member':
      return texts.revertNamed(revert.name);
  }
};

const AffectedByCustomer = ({ area, id, body }: { area: AuditArea; id: CustomerId; body: UpdateCustomer }) => {
  const impact = useQuery(customerImpactQuery(area, id, changeOf(body)));
  return <Effects query={impact} effectsOf={(decided) => effectsOfRevert(body, decided)} list={usersOf(area, id)} />;
};

type UserRevert = Extract<Revert, { kind: 'user' }>;

const AffectedByUser = ({ area, userId, body: { role, status } }: { area: AuditArea } & Pick<UserRevert, 'userId' | 'body'>) => (
  <Effects query={useQuery(userImpactQuery(usersPath[area], userId, { role, status }))} effectsOf={effectsOnUser} />
);

const AffectedByMember = ({ userId, body: { role } }: Pick<Extract<Revert, { kind: 'member' }>, 'userId' | 'body'>) => (
  <Effects query={useQuery(memberImpactQuery(userId, { role }))} effectsOf={effectsOnMember} />
);

const AffectedByIntegrator = ({ id, status }: { id: IntegratorId; status: AccountStatus }) => (
  <Effects query={useQuery(integratorImpactQuery(id, { status }))} effectsOf={(decided) => effectsOnIntegrator(status, decided)} />
);

/** Who and what the revert affects, counted now. */
const Affected = ({ area, customerId, revert }: Pick<RevertModalProps, 'area' | 'customerId'> & { revert: Revert }) => {
  if (revert.kind === 'customer' && customerId) return <AffectedByCustomer area={area} id={customerId} body={revert.body} />;
  if (revert.kind === 'user') return <AffectedByUser area={area} userId={revert.userId} body={revert.body} />;
  if (revert.kind === 'member') return <AffectedByMember userId={revert.userId} body={revert.body} />;
  if (revert.kind !== 'integrator') return null;
  const { status } = revert.body;
  return status && status !== 'active' && <AffectedByIntegrator id={revert.integratorId} status={status} />;
};

/** Shows what takes an entry back, and asks before it does. */
export const RevertModal = ({ dialog, area, entry, needs, customerId }: RevertModalProps) => {
  const cancel = useRef<HTMLButtonElement>(null);
  const { data, error } = useQuery(revertQuery(area, customerId, entry.id));
  const revert = useRevert(area, customerId);
  const mayWrite = usePermission(needs);
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
                {titleOf(data.revert)}
              </Text>
              <Changes changes={data.changes} />
            </div>
            {mayWrite ? (
              <Affected area={area} customerId={customerId} revert={data.revert} />
            ) : (
              <Banner tone="warning">{texts.revertForbidden}</Banner>
            )}
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
          disabled={!mayWrite || data === undefined || Boolean(error)}
          isBusy={revert.isPending}
          busyLabel={texts.reverting}
        >
          {texts.revert}
        </BusyButton>
      </Dialog.Footer>
    </Modal>
  );
};
