import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { KeyRound } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { CredentialStatus, credentialTexts, firstCredentialsQuery } from '../../credentials/index.ts';
import { portalDashboardTexts as texts } from '../texts.ts';

const HEIGHT = '180px';

/** The customer's service connections and whether they work. */
export const ConnectionsCard = ({ owner }: { owner: CustomerId }) => (
  <Card>
    <CardHead
      title={texts.connections}
      sub={texts.connectionsSub}
      right={
        <Button asChild size="sm" variant="outline">
          <Link to="/portal/credentials">{texts.manage}</Link>
        </Button>
      }
    />
    <Box borderTopWidth="1px" borderColor="border">
      <QueryView
        query={useQuery(firstCredentialsQuery(owner))}
        loading={credentialTexts.loading}
        fallback={credentialTexts.loadFailed}
        height={HEIGHT}
      >
        {({ credentials, total }) =>
          credentials.length === 0 ? (
            <Empty icon={KeyRound} title={texts.noCredentials} hint={texts.noCredentialsHint} height={HEIGHT} />
          ) : (
            <Box as="ul" listStyleType="none" aria-label={texts.connections}>
              {credentials.map(({ id, service, instanceUrl, status, reason, lastUsed }) => (
                <Flex
                  as="li"
                  key={id}
                  align="center"
                  gap="4"
                  px={{ base: '4', md: '5' }}
                  py="3"
                  borderTopWidth="1px"
                  borderColor="border.muted"
                  _first={{ borderTopWidth: 0 }}
                >
                  <div className="who-texts">
                    <span className="who-name">{credentialTexts.services[service]}</span>
                    <span className="who-detail" title={instanceUrl}>
                      {instanceUrl}
                    </span>
                    {reason && (
                      <Text textStyle="xs" color="fg.error" overflowWrap="anywhere">
                        {reason}
                      </Text>
                    )}
                  </div>
                  <Text as="span" textStyle="xs" color="fg.subtle" hideBelow="md">
                    {texts.lastUsed(format.ago(lastUsed))}
                  </Text>
                  <CredentialStatus status={status} />
                </Flex>
              ))}
              {total > credentials.length && (
                <Text as="li" px={{ base: '4', md: '5' }} py="3" borderTopWidth="1px" borderColor="border.muted" textStyle="sm">
                  <Link className="text-link" to="/portal/credentials">
                    {texts.moreConnections(total - credentials.length)}
                  </Link>
                </Text>
              )}
            </Box>
          )
        }
      </QueryView>
    </Box>
  </Card>
);
