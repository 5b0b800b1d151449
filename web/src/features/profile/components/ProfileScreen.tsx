import { Button, Flex, SimpleGrid } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { Allowed } from '../../../session/permissions.tsx';
import { prefetchAsCustomer, useCustomerSession } from '../../../session/session.ts';
import { KeyRound } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { HistoryCard } from '../../history/index.ts';
import { LazySessionsCard } from '../../sessions/index.ts';
import { profileQuery } from '../api/profile.ts';
import { profileTexts as texts } from '../texts.ts';
import { DeletionCard } from './DeletionCard.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { ProfileForm } from './ProfileForm.tsx';

/** Requests the customer's profile before the screen is rendered. */
export const prefetchProfile = (queries: QueryClient): void =>
  prefetchAsCustomer(queries, ({ id }) => void queries.prefetchQuery(profileQuery(id)));

/** A customer's own account. */
export const ProfileScreen = () => {
  const { id } = useCustomerSession();
  return (
    <>
      <PageHead
        title={texts.title}
        sub={texts.sub}
        actions={
          <Allowed to="signIns:read">
            <Button asChild variant="outline">
              <Link to="/portal/team/sign-ins">
                <KeyRound aria-hidden />
                {texts.signIns}
              </Link>
            </Button>
          </Allowed>
        }
      />
      <QueryView query={useQuery(profileQuery(id))} loading={texts.loading} fallback={texts.loadFailed} height="60vh">
        {({ profile, etag }) => (
          <Flex direction="column" gap="4">
            <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4">
              <Allowed to="settings:write">
                <ProfileForm profile={profile} etag={etag} />
              </Allowed>
              <Allowed to="password:change">
                <PasswordForm />
              </Allowed>
            </SimpleGrid>
            <LazySessionsCard scope="own" />
            <Allowed to="account:delete">
              <DeletionCard />
            </Allowed>
            <Allowed to="history:read">
              <HistoryCard source={{ kind: 'customer', id, path: '/api/customer' }} />
            </Allowed>
          </Flex>
        )}
      </QueryView>
    </>
  );
};
