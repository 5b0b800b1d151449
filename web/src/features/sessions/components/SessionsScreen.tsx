import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { SESSIONS_ROOT } from '../api/sessions.ts';
import { sessionTexts as texts } from '../texts.ts';
import { SessionsCard } from './SessionsCard.tsx';

/** The open sessions of the tenant of the session. */
export const SessionsScreen = () => (
  <>
    <PageHead title={texts.tenant} sub={texts.tenantSub} actions={<ExportMenu lists={[{ path: SESSIONS_ROOT.tenant }]} />} />
    <SessionsCard scope="tenant" />
  </>
);
