import { useIntegratorSession } from '../../../session/session.ts';
import { BackLink } from '../../../ui/BackLink.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { HistoryCard, type HistorySource } from '../../history/index.ts';
import { administration } from '../api/team.ts';
import { teamTexts as texts } from '../texts.ts';

type ActivityProps = { source: HistorySource; team: string; sub: string };

const Activity = ({ source, team, sub }: ActivityProps) => (
  <>
    <PageHead title={texts.activity} sub={sub} back={<BackLink to={team}>{texts.backToTeam}</BackLink>} />
    <HistoryCard source={source} />
  </>
);

/** What happened to the administration itself: its named users, sign-in policy and key. */
export const AdminActivityScreen = () => (
  <Activity
    source={{ kind: 'administration', id: administration.id, path: '/api/admin' }}
    team="/admin/team"
    sub={texts.activitySub.administration}
  />
);

/** What happened to the service integrator itself. */
export const IntegratorActivityScreen = () => {
  const { id } = useIntegratorSession();
  return (
    <Activity
      source={{ kind: 'integrator', id, path: '/api/service-integrator' }}
      team="/service-integrator/team"
      sub={texts.activitySub.integrator}
    />
  );
};
