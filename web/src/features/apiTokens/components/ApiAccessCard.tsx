import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { TeamId } from '../../../../../src/domain/ids.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ArrowRight } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { apiTokensQuery } from '../api/apiTokens.ts';
import { apiTokenTexts } from '../texts.ts';
import { CreateTokenButton } from './CreateTokenButton.tsx';

const { access: texts } = apiTokenTexts;

type ApiAccessCardProps = {
  teamId: TeamId;
  /** The screen with the list of API tokens. */
  to: string;
};

/** Offers API tokens to programs, in place of a key. */
export const ApiAccessCard = ({ teamId, to }: ApiAccessCardProps) => {
  const query = useQuery(apiTokensQuery(teamId));
  const mayWrite = usePermission('tokens:write');
  return (
    <Card as="section" aria-label={texts.title}>
      <CardHead
        title={texts.title}
        sub={texts.sub}
        right={mayWrite && query.data && <CreateTokenButton teamId={teamId} scopes={query.data.scopes} />}
      />
      <QueryView query={query} loading={apiTokenTexts.loading} fallback={apiTokenTexts.loadFailed} height="56px">
        {({ tokens }) => (
          <Flex align="center" justify="space-between" gap="3" wrap="wrap" px={{ base: '4', md: '5' }} pb="4">
            <Text textStyle="sm" color="fg.muted">
              {texts.active(tokens.filter(({ state }) => state === 'active').length)}
            </Text>
            <Button asChild variant="outline" size="sm">
              <Link to={to}>
                {texts.manage}
                <Box asChild boxSize="4">
                  <ArrowRight aria-hidden />
                </Box>
              </Link>
            </Button>
          </Flex>
        )}
      </QueryView>
    </Card>
  );
};
