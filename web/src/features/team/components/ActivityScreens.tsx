import { useCustomerSession, useIntegratorSession } from '../../../session/session.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { HistoryCard, type HistorySource } from '../../history/index.ts';
import { administration, teamOfCustomer, teamOfIntegrator } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';

const Activity = ({ source }: { source: HistorySource }) => (
  <>
    <PageHead title={texts.activity} sub={texts.activitySub[source.kind]} />
    <HistoryCard source={source} />
  </>
);

/** What happened to the administration itself: its named users, sign-in policy and key. */
export const AdminActivityScreen = () => <Activity source={administration.history} />;

/** What happened to the service integrator itself. */
export const IntegratorActivityScreen = () => {
  const { id } = useIntegratorSession();
  return <Activity source={teamOfIntegrator(id).history} />;
};

/** What happened to the customer, its users and its machines. */
export const CustomerActivityScreen = () => {
  const { id } = useCustomerSession();
  return <Activity source={teamOfCustomer(id).history} />;
};
