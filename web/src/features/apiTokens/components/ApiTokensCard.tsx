import { Box, Button } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiTokensReply } from '../../../../../src/contracts/apiTokens.ts';
import type { TeamId } from '../../../../../src/domain/ids.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { KeyRound, Plus } from '../../../ui/icons.ts';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { apiTokensQuery } from '../api/apiTokens.ts';
import { apiTokenTexts as texts } from '../texts.ts';
import { tokenKey, tokenRows } from './tokenRows.tsx';

const HEIGHT = '220px';

const CreateTokenModal = lazyDialog(async () => (await import('./CreateTokenModal.tsx')).CreateTokenModal);

const CreateButton = ({ teamId, scopes }: { teamId: TeamId; scopes: ApiTokensReply['scopes'] }) => {
  const dialog = useDialog();
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        aria-haspopup="dialog"
        onClick={dialog.open}
        onPointerEnter={CreateTokenModal.preload}
        onFocus={CreateTokenModal.preload}
      >
        <Plus aria-hidden />
        {texts.create}
      </Button>
      <CreateTokenModal dialog={dialog} teamId={teamId} scopes={scopes} />
    </>
  );
};

/** The API tokens of the session's tenant, for sessions that may read them. */
export const ApiTokensCard = ({ teamId }: { teamId: TeamId }) => {
  const query = useQuery(apiTokensQuery(teamId));
  const mayWrite = usePermission('tokens:write');
  const { columns, item } = useMemo(() => tokenRows(teamId, mayWrite), [teamId, mayWrite]);
  return (
    <Card as="section" aria-label={texts.title}>
      <CardHead
        title={texts.title}
        sub={texts.sub}
        right={mayWrite && query.data && <CreateButton teamId={teamId} scopes={query.data.scopes} />}
      />
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
        {({ tokens }) =>
          tokens.length === 0 ? (
            <Box borderTopWidth="1px" borderColor="border">
              <Empty icon={KeyRound} title={texts.none} hint={mayWrite ? texts.noneHint : texts.noneReadOnly} height={HEIGHT} />
            </Box>
          ) : (
            <DataTable label={texts.table} rows={tokens} keyOf={tokenKey} columns={columns} item={item} />
          )
        }
      </QueryView>
    </Card>
  );
};
