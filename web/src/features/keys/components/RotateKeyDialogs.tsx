import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { useLeaveEndedSession, useRotateIntegratorKey, useRotateLicenseKey, useRotateMasterKey } from '../api/keys.ts';
import { keyTexts } from '../texts.ts';
import { RotateKeyModal } from './RotateKeyModal.tsx';

type RotateLicenseKeyDialogProps = { dialog: DialogState; manager: CustomerManager; customer: Customer };

/** Replaces a customer's license key. */
export const RotateLicenseKeyDialog = ({ dialog, manager, customer }: RotateLicenseKeyDialogProps) => {
  const { license } = keyTexts;
  const { mutate, isPending, error, data } = useRotateLicenseKey(manager, customer.id);
  return (
    <RotateKeyModal
      dialog={dialog}
      texts={{ ...license, question: license.question(customer.name), newKey: license.newKey(customer.name) }}
      rotation={{ mutate: () => mutate(undefined), isPending, error, data }}
      onDone={dialog.close}
    />
  );
};

type RotateIntegratorKeyDialogProps = { dialog: DialogState; integrator: ServiceIntegrator };

/** Replaces a service integrator's master license key. */
export const RotateIntegratorKeyDialog = ({ dialog, integrator: { id, companyName } }: RotateIntegratorKeyDialogProps) => {
  const { integrator } = keyTexts;
  const { mutate, isPending, error, data } = useRotateIntegratorKey(id);
  return (
    <RotateKeyModal
      dialog={dialog}
      texts={{ ...integrator, question: integrator.question(companyName), newKey: integrator.newKey(companyName) }}
      rotation={{ mutate: () => mutate(undefined), isPending, error, data }}
      onDone={dialog.close}
    />
  );
};

/** Replaces the signed-in integrator's own master license key, then opens the sign-in. */
export const RotateMasterKeyDialog = ({ dialog }: { dialog: DialogState }) => {
  const { mutate, isPending, error, data } = useRotateMasterKey();
  const leave = useLeaveEndedSession();
  return (
    <RotateKeyModal
      dialog={dialog}
      texts={keyTexts.master}
      rotation={{ mutate: () => mutate(undefined), isPending, error, data }}
      onDone={() => void leave()}
    />
  );
};
