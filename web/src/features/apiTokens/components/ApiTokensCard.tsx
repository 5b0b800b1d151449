import { Box, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TeamId } from '../../../../../src/domain/ids.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { KeyRound } from '../../../ui/icons.ts';
import { TableViewMenu } from '../../../ui/listMenus.tsx';
import { useIsWide } from '../../../ui/media.ts';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { useTableView } from '../../../ui/tableView.ts';
import { WholeTable } from '../../../ui/WholeTable.tsx';
import { apiTokensQuery } from '../api/apiTokens.ts';
import { apiTokenTexts as texts } from '../texts.ts';
import { CreateTokenButton } from './CreateTokenButton.tsx';
import { tokenKey, tokenRows } from './tokenRows.tsx';

const HEIGHT = '220px';

/** The API tokens of the session's tenant, for sessions that may read them. */
export const ApiTokensCard = ({ teamId }: { teamId: TeamId }) => {
  const query = useQuery(apiTokensQuery(teamId));
  const mayWrite = usePermission('tokens:write');
  const { columns, item } = useMemo(() => tokenRows(teamId, mayWrite), [teamId, mayWrite]);
  const view = useTableView('apiTokens', columns);
  const isWide = useIsWide();
  return (
    <Card as="section" aria-label={texts.title}>
      <CardHead
        title={texts.title}
        sub={texts.sub}
        right={
          <Flex gap="3">
            {isWide && <TableViewMenu view={view} />}
            {mayWrite && query.data && <CreateTokenButton teamId={teamId} scopes={query.data.scopes} />}
          </Flex>
        }
      />
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
        {({ tokens }) =>
          tokens.length === 0 ? (
            <Box borderTopWidth="1px" borderColor="border">
              <Empty icon={KeyRound} title={texts.none} hint={mayWrite ? texts.noneHint : texts.noneReadOnly} height={HEIGHT} />
            </Box>
          ) : (
            <WholeTable
              label={texts.table}
              rows={tokens}
              keyOf={tokenKey}
              columns={view.columns}
              isCompact={view.isCompact}
              item={item}
            />
          )
        }
      </QueryView>
    </Card>
  );
};
