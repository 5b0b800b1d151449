import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { prefetchAsIntegrator, useIntegratorSession } from '../../../session/session.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { ownIntegratorQuery } from '../../accountSettings/index.ts';
import { LastChange } from '../../history/index.ts';
import { whiteLabelTexts as texts } from '../texts.ts';
import { WhiteLabelForm } from './WhiteLabelForm.tsx';

/** The events that change what the screen shows. */
const CHANGES = 'WhiteLabelEnabled,WhiteLabelDisabled,BrandingChanged';

const WhiteLabelFacts = ({ integrator }: { integrator: ServiceIntegrator }) => (
  <Card as="section" aria-label={texts.form}>
    <CardHead title={texts.form} />
    <Facts>
      <Fact label={texts.state}>
        <StatusBadge status={integrator.whiteLabelEnabled ? 'enabled' : 'disabled'} />
      </Fact>
      <Fact label={texts.fields.customDomain}>{integrator.customDomain ?? texts.none}</Fact>
      <Fact label={texts.fields.logoUrl}>{integrator.logoUrl ?? texts.none}</Fact>
    </Facts>
  </Card>
);

/** Requests the integrator's brand before the screen is rendered. */
export const prefetchWhiteLabel = (queries: QueryClient): void =>
  prefetchAsIntegrator(queries, ({ id }) => void queries.prefetchQuery(ownIntegratorQuery(id)));

/** An integrator's white-label settings. */
export const WhiteLabelScreen = () => {
  const { id } = useIntegratorSession();
  const mayChange = usePermission('settings:write');
  return (
    <>
      <PageHead
        title={texts.title}
        sub={
          <>
            {texts.sub}
            <LastChange source={{ kind: 'integrator', id, path: '/api/service-integrator' }} type={CHANGES} />
          </>
        }
      />
      <QueryView query={useQuery(ownIntegratorQuery(id))} loading={texts.loading} fallback={texts.loadFailed} height="60vh">
        {({ integrator, etag }) =>
          mayChange ? <WhiteLabelForm integrator={integrator} etag={etag} /> : <WhiteLabelFacts integrator={integrator} />
        }
      </QueryView>
    </>
  );
};
