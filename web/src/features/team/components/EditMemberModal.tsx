import { useQuery } from '@tanstack/react-query';
import { type Control, useWatch } from 'react-hook-form';
import { changeMember, type TeamMember } from '../../../../../src/contracts/team.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { useModalForm } from '../../../forms/useModalForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { LastChange } from '../../history/index.ts';
import { Effects, effectsOnMember, memberImpactQuery } from '../../impact/index.ts';
import { useChangeMember } from '../api/team.ts';
import type { OwnTeam } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';
import { MemberFields, type MemberValues } from './MemberFields.tsx';

type AffectedProps<Output> = { control: Control<MemberValues, unknown, Output>; member: TeamMember };

/** What the chosen role affects; nothing while it is as it is. */
const Affected = <Output,>({ control, member: { userId, role: before } }: AffectedProps<Output>) => {
  const role = useWatch({ control, name: 'role' });
  const isChanged = role !== before;
  const impact = useQuery({ ...memberImpactQuery(userId, { role }), enabled: isChanged });
  return isChanged && <Effects query={impact} effectsOf={effectsOnMember} />;
};

type EditMemberModalProps = { dialog: DialogState; team: OwnTeam; member: TeamMember };

/** Changes name, email address and role. Only changed fields are sent, so that others may change the rest. */
export const EditMemberModal = ({ dialog, team, member }: EditMemberModalProps) => {
  const change = useChangeMember(team, member.userId);
  const { name, email, role } = member;
  const defaults: MemberValues = { name, email, role };
  const { control, modal } = useModalForm({
    dialog,
    schema: changeMember,
    defaults,
    toBody: (typed: MemberValues) => ({
      ...(typed.name !== name && { name: typed.name }),
      ...(typed.email !== email && { email: typed.email }),
      ...(typed.role !== role && { role: typed.role }),
    }),
    labels: texts.fields,
    change,
    done: texts.saved,
    failed: texts.saveFailed,
  });
  return (
    <FormModal
      {...modal}
      title={texts.editTitle}
      description={texts.editDescription}
      submitLabel={texts.save}
      busyLabel={texts.saving}
    >
      <LastChange source={team.history} about={member.userId} />
      <MemberFields control={control} kind={team.kind} />
      <Affected control={control} member={member} />
    </FormModal>
  );
};
