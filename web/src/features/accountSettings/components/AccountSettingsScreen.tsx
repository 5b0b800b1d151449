import { Box, Flex, SimpleGrid } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { lazyComponent } from '../../../lib/lazyScreen.tsx';
import { Allowed } from '../../../session/permissions.tsx';
import { prefetchAsIntegrator, useIntegratorSession } from '../../../session/session.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { ApiAccessCard } from '../../apiTokens/index.ts';
import { teamOfIntegrator } from '../../team/index.ts';
import { ownIntegratorQuery } from '../api/ownIntegrator.ts';
import { accountTexts as texts } from '../texts.ts';
import { AccountFacts } from './AccountFacts.tsx';
import { AccountForm } from './AccountForm.tsx';
import type { AccountMomentProps } from './AccountMoment.tsx';
import { ApiExample, HelpLinks } from './ApiExample.tsx';

/** Requests the integrator's account before the screen is rendered. */
export const prefetchAccountSettings = (queries: QueryClient): void =>
  prefetchAsIntegrator(queries, ({ id }) => void queries.prefetchQuery(ownIntegratorQuery(id)));

type AccountProps = { integrator: ServiceIntegrator; etag: string | null };

const Account = ({ integrator, etag }: AccountProps) => {
  const { id } = integrator;
  const team = useMemo(() => teamOfIntegrator(id), [id]);
  return (
    <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4" alignItems="start">
      <Flex direction="column" gap="4" minW="0">
        <Allowed to="settings:write">
          <AccountForm integrator={integrator} etag={etag} />
        </Allowed>
        <AccountFacts integrator={integrator} />
      </Flex>
      <Flex direction="column" gap="4" minW="0">
        <Allowed to="tokens:read">
          <ApiAccessCard teamId={team.id} to="/service-integrator/team/tokens" />
        </Allowed>
        <ApiExample />
        <HelpLinks />
      </Flex>
    </SimpleGrid>
  );
};

const AccountMoment = lazyComponent<AccountMomentProps>(
  async () => (await import('./AccountMoment.tsx')).AccountMoment,
  () => <Box minH="184px" />,
);
const MomentBanner = lazyComponent(
  async () => (await import('./AccountMoment.tsx')).MomentBanner,
  () => null,
);

/** An integrator's own account, and its state at a time. */
export const AccountSettingsScreen = () => {
  const { id } = useIntegratorSession();
  const [address] = useSearchParams();
  // While the address has a moment, the screen shows nothing of now, and offers no change.
  const isOfMoment = !Number.isNaN(Date.parse(address.get('asOf') ?? ''));
  return (
    <>
      {isOfMoment && <MomentBanner />}
      <PageHead title={texts.title} sub={texts.sub} />
      <QueryView query={useQuery(ownIntegratorQuery(id))} loading={texts.loading} fallback={texts.loadFailed} height="60vh">
        {({ integrator, etag }) => (
          <>
            {!isOfMoment && <Account integrator={integrator} etag={etag} />}
            <Allowed to="history:read">
              <AccountMoment integrator={integrator} />
            </Allowed>
          </>
        )}
      </QueryView>
    </>
  );
};
