import { type QueryClient, useQuery } from '@tanstack/react-query';
import { prefetchAsIntegrator, useIntegratorSession } from '../../../session/session.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { ownIntegratorQuery } from '../../accountSettings/index.ts';
import { whiteLabelTexts as texts } from '../texts.ts';
import { WhiteLabelForm } from './WhiteLabelForm.tsx';

/** Requests the integrator's brand before the screen is rendered. */
export const prefetchWhiteLabel = (queries: QueryClient): void =>
  prefetchAsIntegrator(queries, ({ id }) => void queries.prefetchQuery(ownIntegratorQuery(id)));

/** An integrator's white-label settings. */
export const WhiteLabelScreen = () => {
  const { id } = useIntegratorSession();
  return (
    <>
      <PageHead title={texts.title} sub={texts.sub} />
      <QueryView query={useQuery(ownIntegratorQuery(id))} loading={texts.loading} fallback={texts.loadFailed} height="60vh">
        {({ integrator, etag }) => <WhiteLabelForm integrator={integrator} etag={etag} />}
      </QueryView>
    </>
  );
};
