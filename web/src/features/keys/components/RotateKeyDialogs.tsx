import { useQuery } from '@tanstack/react-query';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { customerImpactQuery, Effects, effectsOnSignIns, integratorImpactQuery, ownKeyImpactQuery } from '../../impact/index.ts';
import { useLeaveEndedSession, useRotateIntegratorKey, useRotateLicenseKey, useRotateMasterKey } from '../api/keys.ts';
import { keyTexts } from '../texts.ts';
import { RotateKeyModal } from './RotateKeyModal.tsx';

const ROTATION = { keyRotation: true } as const;

type Asked = Readonly<{ isIdle: boolean; isError: boolean }>;

/** Effects are asked for while the dialog asks: afterwards the sessions have ended, which may include the own one. */
const isAsking = ({ isIdle, isError }: Asked): boolean => isIdle || isError;

type RotateLicenseKeyDialogProps = { dialog: DialogState; manager: CustomerManager; customer: Customer };

/** Replaces a customer's license key. */
export const RotateLicenseKeyDialog = ({ dialog, manager, customer }: RotateLicenseKeyDialogProps) => {
  const { license } = keyTexts;
  const change = useRotateLicenseKey(manager, customer.id);
  const { mutate, isPending, error, data } = change;
  const impact = useQuery({ ...customerImpactQuery(manager, customer.id, ROTATION), enabled: isAsking(change) });
  return (
    <RotateKeyModal
      dialog={dialog}
      texts={{ ...license, question: license.question(customer.name), newKey: license.newKey(customer.name) }}
      rotation={{ mutate: () => mutate(undefined), isPending, error, data }}
      effects={<Effects query={impact} effectsOf={({ ended }) => effectsOnSignIns(ended)} />}
      onDone={dialog.close}
    />
  );
};

type RotateIntegratorKeyDialogProps = { dialog: DialogState; integrator: ServiceIntegrator };

/** Replaces a service integrator's master license key. */
export const RotateIntegratorKeyDialog = ({ dialog, integrator: { id, companyName } }: RotateIntegratorKeyDialogProps) => {
  const { integrator } = keyTexts;
  const change = useRotateIntegratorKey(id);
  const { mutate, isPending, error, data } = change;
  const impact = useQuery({ ...integratorImpactQuery(id, ROTATION), enabled: isAsking(change) });
  return (
    <RotateKeyModal
      dialog={dialog}
      texts={{ ...integrator, question: integrator.question(companyName), newKey: integrator.newKey(companyName) }}
      rotation={{ mutate: () => mutate(undefined), isPending, error, data }}
      effects={<Effects query={impact} effectsOf={({ ended }) => effectsOnSignIns(ended)} />}
      onDone={dialog.close}
    />
  );
};

/** Replaces the signed-in integrator's own master license key, then opens the sign-in. */
export const RotateMasterKeyDialog = ({ dialog }: { dialog: DialogState }) => {
  const change = useRotateMasterKey();
  const { mutate, isPending, error, data } = change;
  const impact = useQuery({ ...ownKeyImpactQuery(), enabled: isAsking(change) });
  const leave = useLeaveEndedSession();
  return (
    <RotateKeyModal
      dialog={dialog}
      texts={keyTexts.master}
      rotation={{ mutate: () => mutate(undefined), isPending, error, data }}
      effects={<Effects query={impact} effectsOf={({ ended }) => effectsOnSignIns(ended)} />}
      onDone={() => void leave()}
    />
  );
};
