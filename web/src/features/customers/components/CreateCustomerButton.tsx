import { Allowed } from '../../../session/permissions.tsx';
import { CreateButton } from '../../../ui/CreateButton.tsx';
import { lazyDialog } from '../../../ui/dialogs.tsx';
import { customerTexts } from '../texts.ts';

const CreateCustomerModal = lazyDialog(async () => (await import('./CreateCustomerModal.tsx')).CreateCustomerModal);

/** `isInitiallyOpen` is for a link that leads to the open form. */
export const CreateCustomerButton = ({ isInitiallyOpen = false }: { isInitiallyOpen?: boolean }) => (
  <Allowed to="customers:write">
    <CreateButton form={CreateCustomerModal} isInitiallyOpen={isInitiallyOpen}>
      {customerTexts.create}
    </CreateButton>
  </Allowed>
);
