import { Allowed } from '../../../session/permissions.tsx';
import { CreateButton } from '../../../ui/CreateButton.tsx';
import { lazyDialog } from '../../../ui/dialogs.tsx';
import { customerTexts } from '../texts.ts';

const CreateCustomerModal = lazyDialog(async () => (await import('./CreateCustomerModal.tsx')).CreateCustomerModal);

/** `openings` is how often a link asked to open the form. */
export const CreateCustomerButton = ({ openings = 0 }: { openings?: number }) => (
  <Allowed to="customers:write">
    <CreateButton form={CreateCustomerModal} openings={openings}>
      {customerTexts.create}
    </CreateButton>
  </Allowed>
);
