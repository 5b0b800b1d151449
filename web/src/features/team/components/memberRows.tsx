import type { TeamMember } from '../../../../../src/contracts/team.ts';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Time } from '../../../ui/Time.tsx';
import { Who } from '../../../ui/Who.tsx';
import type { OwnTeam } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';
import { MemberActions } from './MemberActions.tsx';

const { columns: headers, statuses } = texts;

export const memberKey = ({ userId }: TeamMember): string => userId;

const Delivery = ({ invitationEmail }: TeamMember) => {
  if (invitationEmail === 'failed') {
    return (
      <>
        <StatusBadge status="error">{texts.emails.failed}</StatusBadge>
        <div className="caption">{texts.emails.failedHint}</div>
      </>
    );
  }
  if (invitationEmail === 'delayed' || invitationEmail === 'waiting') {
    return <div className="caption">{texts.emails[invitationEmail]}</div>;
  }
  return null;
};

const Status = (member: TeamMember) => {
  const { status, invitationExpiresAt } = member;
  if (status === 'joined') return <StatusBadge status="active">{statuses.joined}</StatusBadge>;
  if (invitationExpiresAt === null) return <StatusBadge status="expired">{statuses.expired}</StatusBadge>;
  return (
    <>
      <StatusBadge status="chosen">{statuses.invited}</StatusBadge>
      <div className="caption">
        {texts.expires} <Time at={invitationExpiresAt} />
      </div>
      <Delivery {...member} />
    </>
  );
};

const Role = ({ role }: TeamMember) => <Badge tone={role === 'owner' ? 'violet' : 'brand'}>{texts.roles[role]}</Badge>;

const secondFactorOf = ({ passkeys, hasSecondFactor }: TeamMember): string => {
  if (passkeys === 0) return hasSecondFactor ? texts.factors.oneTime : texts.factors.none;
  return hasSecondFactor ? texts.factors.both : texts.factors.passkey;
};

/** The columns for a team, and its rows where the screen is too narrow for a table. */
export const memberRows = (team: OwnTeam, hasActions: boolean) => {
  const columns: readonly Column<TeamMember>[] = [
    { header: headers.member, sort: 'name', by: ({ name }) => name, cell: ({ name, email }) => <Who name={name} detail={email} /> },
    { header: headers.role, sort: 'role', by: ({ role }) => texts.roles[role], cell: Role },
    { header: headers.status, sort: 'status', by: ({ status }) => statuses[status], cell: Status },
    { header: headers.secondFactor, tone: 'muted', sort: 'secondFactor', by: secondFactorOf, cell: secondFactorOf },
    ...(hasActions
      ? [
          {
            header: headers.actions,
            isHeaderHidden: true,
            align: 'end',
            cell: (member: TeamMember) => <MemberActions team={team} member={member} />,
          } as const,
        ]
      : []),
  ];
  const item = (member: TeamMember) => (
    <>
      <Who name={member.name} detail={member.email} right={<Role {...member} />} />
      <div className="item-facts">
        <div>
          <Status {...member} />
        </div>
        <div className="end">
          <div className="caption">{headers.secondFactor}</div>
          {secondFactorOf(member)}
        </div>
      </div>
      {hasActions && <MemberActions team={team} member={member} />}
    </>
  );
  return { columns, item };
};
