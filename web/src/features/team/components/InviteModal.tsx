import { useState } from 'react';
import { type InvitationReply, inviteMember } from '../../../../../src/contracts/team.ts';
import type { Role } from '../../../../../src/domain/permissions.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { useInviteMember } from '../api/team.ts';
import type { OwnTeam } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';
import { LinkModal } from './LinkModal.tsx';
import { MemberFields, type MemberValues } from './MemberFields.tsx';

type InviteModalProps = {
  dialog: DialogState;
  team: OwnTeam;
  /** The role that is chosen first. */
  role: Role;
};

type FormProps = InviteModalProps & { onInvited: (reply: InvitationReply) => void };

const InviteForm = ({ dialog, team, role, onInvited }: FormProps) => {
  const invite = useInviteMember(team);
  const defaults: MemberValues = { name: '', email: '', role };
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: inviteMember,
    defaults,
    toBody: (typed: MemberValues) => typed,
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    invite.mutate(body, { onSuccess: onInvited, onError: (error) => refuse(error, texts.inviteFailed) }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.inviteTitle}
      description={texts.inviteDescription}
      submitLabel={texts.inviteSubmit}
      busyLabel={texts.inviting}
      isBusy={invite.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <MemberFields control={control} kind={team.kind} />
    </FormModal>
  );
};

/** Invites a named user, then shows the link. */
export const InviteModal = (props: InviteModalProps) => {
  const [invitation, setInvitation] = useState<InvitationReply>();
  return invitation ? (
    <LinkModal dialog={props.dialog} invitation={invitation} />
  ) : (
    <InviteForm {...props} onInvited={setInvitation} />
  );
};
