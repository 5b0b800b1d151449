import { Flex } from '@chakra-ui/react';
import type { ComponentType } from 'react';
import type { TeamMember } from '../../../../../src/contracts/team.ts';
import { messageOf } from '../../../api/error.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { type DialogState, lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ItemAction } from '../../../ui/ItemAction.tsx';
import { Link2, LogOut, type LucideIcon, Pencil, Trash2, X } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { useNewLink } from '../api/team.ts';
import type { OwnTeam } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';

const confirmations = () => import('./ConfirmMemberDialogs.tsx');
const EditMemberModal = lazyDialog(async () => (await import('./EditMemberModal.tsx')).EditMemberModal);
const LinkModal = lazyDialog(async () => (await import('./LinkModal.tsx')).LinkModal);
const WithdrawDialog = lazyDialog(async () => (await confirmations()).WithdrawDialog);
const SignOutDialog = lazyDialog(async () => (await confirmations()).SignOutDialog);
const RemoveDialog = lazyDialog(async () => (await confirmations()).RemoveDialog);

type MemberProps = { team: OwnTeam; member: TeamMember };

type ActionProps = MemberProps & {
  label: string;
  icon: LucideIcon;
  isDestructive?: boolean;
  form: ComponentType<MemberProps & { dialog: DialogState }> & { preload: () => void };
};

/** A button that opens a dialog about the named user. */
const Action = ({ team, member, label, icon: Icon, isDestructive = false, form: Form }: ActionProps) => {
  const dialog = useDialog();
  return (
    <>
      <ItemAction
        label={label}
        name={texts.actionsOf(label, member.name)}
        icon={Icon}
        onPress={dialog.open}
        opens={Form}
        isDestructive={isDestructive}
      />
      <Form dialog={dialog} team={team} member={member} />
    </>
  );
};

/** Replaces the link of an invitation, which is emailed again, and shows the new one to copy. */
const NewLinkButton = ({ team, member }: MemberProps) => {
  const label = member.invitationEmail === 'failed' ? texts.sendAgain : texts.newLink;
  const dialog = useDialog();
  const create = useNewLink(team);
  const press = () =>
    create.mutate(member.userId, {
      onSuccess: dialog.open,
      onError: (error) => notify.error(messageOf(error, texts.newLinkFailed)),
    });
  return (
    <>
      <ItemAction
        label={label}
        name={texts.actionsOf(label, member.name)}
        icon={Link2}
        onPress={press}
        opens={LinkModal}
        isBusy={create.isPending}
        busyLabel={texts.creatingLink}
      />
      {create.data && <LinkModal dialog={dialog} invitation={create.data} />}
    </>
  );
};

/** What the session may do with a named user. */
export const MemberActions = (props: MemberProps) => {
  const { status, invitationExpiresAt } = props.member;
  return (
    <Flex gap="2" wrap={{ base: 'wrap', lg: 'nowrap' }} justify={{ lg: 'flex-end' }}>
      <Allowed to="members:write">
        {props.team.kind !== 'customer' && <Action {...props} label={texts.edit} icon={Pencil} form={EditMemberModal} />}
        {status === 'invited' && <NewLinkButton {...props} />}
        {status === 'invited' && invitationExpiresAt !== null && (
          <Action {...props} label={texts.withdraw} icon={X} form={WithdrawDialog} />
        )}
      </Allowed>
      {status === 'joined' && (
        <Allowed to="sessions:revoke">
          <Action {...props} label={texts.signOut} icon={LogOut} form={SignOutDialog} />
        </Allowed>
      )}
      <Allowed to="members:write">
        <Action {...props} label={texts.remove} icon={Trash2} isDestructive form={RemoveDialog} />
      </Allowed>
    </Flex>
  );
};
