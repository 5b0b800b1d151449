import { Box, Flex, SimpleGrid } from '@chakra-ui/react';
import type { QueryClient } from '@tanstack/react-query';
import type { CredentialsReply } from '../../../../../src/contracts/credentials.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { useListAddress } from '../../../lib/listAddress.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { prefetchAsCustomer, useCustomerSession } from '../../../session/session.ts';
import { Card } from '../../../ui/Card.tsx';
import { CreateButton } from '../../../ui/CreateButton.tsx';
import { lazyDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { KeyRound, ShieldCheck } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { useListQuery } from '../../../ui/useListQuery.ts';
import { CREDENTIALS_LIST, credentialsQuery } from '../api/credentials.ts';
import { credentialTexts as texts } from '../texts.ts';
import { CredentialCard } from './CredentialCard.tsx';

const PAGE_SIZE = 24;
const HEIGHT = '360px';

const AddCredentialModal = lazyDialog(async () => (await import('./AddCredentialModal.tsx')).AddCredentialModal);

const pageIn = (address: URLSearchParams) => ({ limit: PAGE_SIZE, cursor: address.get('cursor') ?? '' });

/** Requests the page of the address before the screen is rendered. */
export const prefetchCredentials = (queries: QueryClient, { search }: ScreenAddress): void =>
  prefetchAsCustomer(queries, ({ id }) => void queries.prefetchQuery(credentialsQuery(id, pageIn(search))));

const Cards = ({ credentials, ...page }: CredentialsReply) => (
  <>
    <SimpleGrid as="ul" listStyleType="none" aria-label={texts.list} columns={{ base: 1, md: 2 }} gap="4">
      {credentials.map((credential) => (
        <CredentialCard key={credential.id} credential={credential} />
      ))}
    </SimpleGrid>
    {page.total > PAGE_SIZE && <Pagination page={page} shown={credentials.length} noun={texts.noun} isBare />}
  </>
);

/** A customer's logins to third-party services. */
export const CredentialsScreen = () => {
  const { id } = useCustomerSession();
  const { address, openings } = useListAddress();
  const query = useListQuery((at: ReturnType<typeof pageIn>) => credentialsQuery(id, at), pageIn(address), 'credentials');
  return (
    <>
      <PageHead
        title={texts.title}
        sub={texts.sub}
        actions={
          <>
            <ExportMenu lists={[{ path: CREDENTIALS_LIST }]} />
            <Allowed to="credentials:write">
              <CreateButton form={AddCredentialModal} openings={openings}>
                {texts.add}
              </CreateButton>
            </Allowed>
          </>
        }
      />
      <Flex
        align="center"
        gap="2.5"
        mb="4"
        px="3.5"
        py="2.5"
        borderRadius="l2"
        borderWidth="1px"
        borderColor="brand.border"
        bg="bg.info"
        color="brand.fg"
        textStyle="sm"
        fontWeight="medium"
      >
        <Box asChild flexShrink="0">
          <ShieldCheck size={16} aria-hidden />
        </Box>
        {texts.encryption}
      </Flex>
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
        {(reply) =>
          reply.total === 0 ? (
            <Card>
              <Empty icon={KeyRound} title={texts.none} hint={texts.noneHint} height={HEIGHT} />
            </Card>
          ) : (
            <Cards {...reply} />
          )
        }
      </QueryView>
    </>
  );
};
