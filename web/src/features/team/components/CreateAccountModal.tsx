import { useNavigate } from 'react-router-dom';
import { inviteMember } from '../../../../../src/contracts/team.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { useInviteMember } from '../api/team.ts';
import { administration } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';

type Typed = { name: string; email: string };

/** Invites the user as owner of the administration, and opens the invitation in this browser. */
export const CreateAccountModal = ({ dialog }: { dialog: DialogState }) => {
  const invite = useInviteMember(administration);
  const navigate = useNavigate();
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: inviteMember,
    defaults: { name: '', email: '' },
    toBody: (typed: Typed) => ({ ...typed, role: 'owner' }),
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    invite.mutate(body, {
      onSuccess: ({ path }) => void navigate(path),
      onError: (error) => refuse(error, texts.inviteFailed),
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.createAccount}
      description={texts.createAccountDescription}
      size="sm"
      submitLabel={texts.continue}
      busyLabel={texts.inviting}
      isBusy={invite.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <TextField control={control} name="name" label={texts.fields.name} autoComplete="name" isRequired />
      <TextField control={control} name="email" type="email" label={texts.fields.email} autoComplete="email" isRequired />
    </FormModal>
  );
};
