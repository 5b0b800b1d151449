import { PageHead } from '../../../ui/PageHead.tsx';
import { sessionTexts as texts } from '../texts.ts';
import { SessionsCard } from './SessionsCard.tsx';

/** The open sessions of the tenant of the session. */
export const SessionsScreen = () => (
  <>
    <PageHead title={texts.tenant} sub={texts.tenantSub} />
    <SessionsCard scope="tenant" />
  </>
);
