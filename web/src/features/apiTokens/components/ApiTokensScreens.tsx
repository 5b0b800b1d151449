import { useMemo } from 'react';
import { useCustomerSession, useIntegratorSession } from '../../../session/session.ts';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { administration, type OwnTeam, teamOfCustomer, teamOfIntegrator } from '../../team/index.ts';
import { TOKENS_ROOT } from '../api/apiTokens.ts';
import { apiTokenTexts as texts } from '../texts.ts';
import { ApiTokensCard } from './ApiTokensCard.tsx';

const ApiTokens = ({ team }: { team: OwnTeam }) => (
  <>
    <PageHead title={texts.title} sub={texts.screenSub[team.kind]} actions={<ExportMenu lists={[{ path: TOKENS_ROOT }]} />} />
    <ApiTokensCard teamId={team.id} />
  </>
);

/** The API tokens of the administration. */
export const AdminApiTokensScreen = () => <ApiTokens team={administration} />;
/** The API tokens of the service integrator. */
export const IntegratorApiTokensScreen = () => {
  const { id } = useIntegratorSession();
  const team = useMemo(() => teamOfIntegrator(id), [id]);
  return <ApiTokens team={team} />;
};
/** The API tokens of the customer. */
export const CustomerApiTokensScreen = () => {
  const { id } = useCustomerSession();
  const team = useMemo(() => teamOfCustomer(id), [id]);
  return <ApiTokens team={team} />;
};
