import { changeMember, type TeamMember } from '../../../../../src/contracts/team.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { LastChange } from '../../history/index.ts';
import { useChangeMember } from '../api/team.ts';
import type { OwnTeam } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';
import { MemberFields, type MemberValues } from './MemberFields.tsx';

type EditMemberModalProps = { dialog: DialogState; team: OwnTeam; member: TeamMember };

/** Changes name, email address and role. Only changed fields are sent, so that others may change the rest. */
export const EditMemberModal = ({ dialog, team, member }: EditMemberModalProps) => {
  const change = useChangeMember(team, member.userId);
  const { name, email, role } = member;
  const defaults: MemberValues = { name, email, role };
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: changeMember,
    defaults,
    toBody: (typed: MemberValues) => ({
      ...(typed.name !== name && { name: typed.name }),
      ...(typed.email !== email && { email: typed.email }),
      ...(typed.role !== role && { role: typed.role }),
    }),
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    change.mutate(body, {
      onSuccess: () => {
        notify.success(texts.saved);
        dialog.close();
      },
      onError: (error) => refuse(error, texts.saveFailed),
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.editTitle}
      description={texts.editDescription}
      submitLabel={texts.save}
      busyLabel={texts.saving}
      isBusy={change.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <LastChange source={team.history} about={member.userId} />
      <MemberFields control={control} kind={team.kind} />
    </FormModal>
  );
};
