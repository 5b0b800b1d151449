import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { type DialogState, lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { RefreshCw } from '../../../ui/icons.ts';
import { keyTexts } from '../texts.ts';

const dialogs = () => import('./RotateKeyDialogs.tsx');
const RotateLicenseKeyDialog = lazyDialog(async () => (await dialogs()).RotateLicenseKeyDialog);
const RotateIntegratorKeyDialog = lazyDialog(async () => (await dialogs()).RotateIntegratorKeyDialog);
const RotateMasterKeyDialog = lazyDialog(async () => (await dialogs()).RotateMasterKeyDialog);

type RotateButtonProps = { children: string; dialog: DialogState; preload: () => void };

const RotateButton = ({ children, ...opens }: RotateButtonProps) => (
  <OpenDialogButton size="xs" {...opens}>
    <RefreshCw aria-hidden />
    {children}
  </OpenDialogButton>
);

/** Opens the dialog that gives a customer another license key. */
export const RotateLicenseKeyButton = ({ manager, customer }: { manager: CustomerManager; customer: Customer }) => {
  const dialog = useDialog();
  return (
    <Allowed to="keys:rotate">
      <RotateButton dialog={dialog} preload={RotateLicenseKeyDialog.preload}>
        {keyTexts.license.rotate}
      </RotateButton>
      <RotateLicenseKeyDialog dialog={dialog} manager={manager} customer={customer} />
    </Allowed>
  );
};

/** Opens the dialog with which an administrator gives a service integrator another master license key. */
export const RotateIntegratorKeyButton = ({ integrator }: { integrator: ServiceIntegrator }) => {
  const dialog = useDialog();
  return (
    <Allowed to="masterKey:rotate">
      <RotateButton dialog={dialog} preload={RotateIntegratorKeyDialog.preload}>
        {keyTexts.integrator.rotate}
      </RotateButton>
      <RotateIntegratorKeyDialog dialog={dialog} integrator={integrator} />
    </Allowed>
  );
};

/** Opens the dialog that gives the integrator itself another master license key. */
export const RotateMasterKeyButton = () => {
  const dialog = useDialog();
  return (
    <Allowed to="masterKey:rotate">
      <RotateButton dialog={dialog} preload={RotateMasterKeyDialog.preload}>
        {keyTexts.master.rotate}
      </RotateButton>
      <RotateMasterKeyDialog dialog={dialog} />
    </Allowed>
  );
};
