import { Box, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MemberImpact } from '../../../../../src/contracts/impact.ts';
import type { TeamMember } from '../../../../../src/contracts/team.ts';
import type { UserId } from '../../../../../src/domain/ids.ts';
import { messageOf } from '../../../api/error.ts';
import type { Change } from '../../../api/useChange.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { Effects, effectsOnMember, effectsOnSignIns, memberImpactQuery } from '../../impact/index.ts';
import { useRemoveMember, useSignMemberOut, useWithdrawInvitation } from '../api/team.ts';
import type { OwnTeam } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';

type DialogProps = { dialog: DialogState; team: OwnTeam; member: TeamMember };

type ConfirmTexts = {
  title: string;
  question: (name: string) => string;
  confirm: string;
  busy: string;
  done: string;
  failed: string;
};

type ConfirmProps = Omit<DialogProps, 'team'> & { change: Change<UserId, unknown>; texts: ConfirmTexts; children?: ReactNode };

/** Asks before a change of a named user that takes no further input. */
const ConfirmChange = ({
  dialog,
  member,
  change,
  children,
  texts: { title, question, confirm, busy, done, failed },
}: ConfirmProps) => (
  <ConfirmDialog
    dialog={dialog}
    title={title}
    confirmLabel={confirm}
    busyLabel={busy}
    isBusy={change.isPending}
    error={change.error ? messageOf(change.error, failed) : undefined}
    onConfirm={() =>
      change.mutate(member.userId, {
        onSuccess: () => {
          notify.success(done);
          dialog.close();
        },
      })
    }
  >
    <Text>{question(member.name)}</Text>
    {children}
  </ConfirmDialog>
);

/** Asks before the link of an invitation stops working. */
export const WithdrawDialog = ({ team, ...props }: DialogProps) => (
  <ConfirmChange
    {...props}
    change={useWithdrawInvitation(team)}
    texts={{
      title: texts.withdrawTitle,
      question: texts.withdrawQuestion,
      confirm: texts.withdraw,
      busy: texts.withdrawing,
      done: texts.withdrawn,
      failed: texts.withdrawFailed,
    }}
  />
);

const SIGN_OUT = { signOut: true } as const;

const effectsOfSignOut = ({ refusal, ended }: MemberImpact) =>
  refusal === null ? effectsOnSignIns(ended ?? undefined) : [{ text: refusal }];

/** Asks before all sessions of a named user end. */
export const SignOutDialog = ({ team, ...props }: DialogProps) => {
  const change = useSignMemberOut(team);
  const impact = useQuery({ ...memberImpactQuery(props.member.userId, SIGN_OUT), enabled: change.isIdle || change.isError });
  return (
    <ConfirmChange
      {...props}
      change={change}
      texts={{
        title: texts.signOutTitle,
        question: texts.signOutQuestion,
        confirm: texts.signOut,
        busy: texts.signingOut,
        done: texts.signedOut,
        failed: texts.signOutFailed,
      }}
    >
      <Box mt="4">
        <Effects query={impact} effectsOf={effectsOfSignOut} />
      </Box>
    </ConfirmChange>
  );
};

const REMOVAL = { removal: true } as const;

/** Asks before a named user is removed. */
export const RemoveDialog = ({ team, ...props }: DialogProps) => {
  const change = useRemoveMember(team);
  const impact = useQuery({ ...memberImpactQuery(props.member.userId, REMOVAL), enabled: change.isIdle || change.isError });
  return (
    <ConfirmChange
      {...props}
      change={change}
      texts={{
        title: texts.removeTitle,
        question: texts.removeQuestion[team.kind],
        confirm: texts.remove,
        busy: texts.removing,
        done: texts.removed,
        failed: texts.removeFailed,
      }}
    >
      <Box mt="4" _empty={{ display: 'none' }}>
        <Effects query={impact} effectsOf={effectsOnMember} />
      </Box>
    </ConfirmChange>
  );
};
