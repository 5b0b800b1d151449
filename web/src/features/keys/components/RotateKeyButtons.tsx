import { Button } from '@chakra-ui/react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { RefreshCw } from '../../../ui/icons.ts';
import { keyTexts } from '../texts.ts';

const dialogs = () => import('./RotateKeyDialogs.tsx');
const RotateLicenseKeyDialog = lazyDialog(async () => (await dialogs()).RotateLicenseKeyDialog);
const RotateIntegratorKeyDialog = lazyDialog(async () => (await dialogs()).RotateIntegratorKeyDialog);
const RotateMasterKeyDialog = lazyDialog(async () => (await dialogs()).RotateMasterKeyDialog);

type RotateButtonProps = { children: string; onClick: () => void; onIntent: () => void };

const RotateButton = ({ children, onClick, onIntent }: RotateButtonProps) => (
  <Button size="xs" variant="outline" aria-haspopup="dialog" onClick={onClick} onPointerEnter={onIntent} onFocus={onIntent}>
    <RefreshCw aria-hidden />
    {children}
  </Button>
);

/** Opens the dialog that gives a customer another license key. */
export const RotateLicenseKeyButton = ({ manager, customer }: { manager: CustomerManager; customer: Customer }) => {
  const dialog = useDialog();
  return (
    <Allowed to="keys:rotate">
      <RotateButton onClick={dialog.open} onIntent={RotateLicenseKeyDialog.preload}>
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
      <RotateButton onClick={dialog.open} onIntent={RotateIntegratorKeyDialog.preload}>
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
      <RotateButton onClick={dialog.open} onIntent={RotateMasterKeyDialog.preload}>
        {keyTexts.master.rotate}
      </RotateButton>
      <RotateMasterKeyDialog dialog={dialog} />
    </Allowed>
  );
};
