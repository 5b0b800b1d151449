import { Box, Text } from '@chakra-ui/react';
import { useMemo } from 'react';
import type { OwnPasskey } from '../../../../../src/contracts/passkeys.ts';
import { Badge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { KeyRound, Plus } from '../../../ui/icons.ts';
import { Empty } from '../../../ui/states.tsx';
import { Time } from '../../../ui/Time.tsx';
import { whyNoPasskeys } from '../../passkeys/index.ts';
import type { OwnTeam } from '../../team/index.ts';
import type { Proof } from '../proof.ts';
import { accountTexts as texts } from '../texts.ts';

const { passkeyColumns: headers } = texts;

const AddPasskeyModal = lazyDialog(async () => (await import('./AddPasskeyModal.tsx')).AddPasskeyModal);
const RemovePasskeyModal = lazyDialog(async () => (await import('./ConfirmModals.tsx')).RemovePasskeyModal);

type Own = { team: OwnTeam; proof: Proof };

const Remove = ({ passkey, ...own }: Own & { passkey: OwnPasskey }) => {
  const dialog = useDialog();
  return (
    <>
      <OpenDialogButton dialog={dialog} preload={RemovePasskeyModal.preload} size="xs" aria-label={texts.removeOf(passkey.name)}>
        {texts.remove}
      </OpenDialogButton>
      <RemovePasskeyModal dialog={dialog} passkey={passkey} {...own} />
    </>
  );
};

const Name = ({ name, isBackedUp }: OwnPasskey) => (
  <Box display="flex" alignItems="center" gap="2" minW="0" overflowWrap="anywhere">
    {name}
    {isBackedUp && <Badge tone="brand">{texts.backedUp}</Badge>}
  </Box>
);

const Used = ({ lastUsedAt }: OwnPasskey) => (lastUsedAt === null ? texts.neverUsed : <Time at={lastUsedAt} />);

const passkeyRows = (own: Own) => {
  const columns: readonly Column<OwnPasskey>[] = [
    { header: headers.name, cell: Name },
    { header: headers.host, tone: 'muted', cell: ({ host }) => host },
    { header: headers.added, tone: 'muted', isExtra: true, cell: ({ addedAt }) => <Time at={addedAt} /> },
    { header: headers.used, tone: 'muted', cell: Used },
    { header: headers.actions, isHeaderHidden: true, align: 'end', cell: (passkey) => <Remove passkey={passkey} {...own} /> },
  ];
  const item = (passkey: OwnPasskey) => (
    <>
      <Name {...passkey} />
      <div className="item-facts">
        <div>
          <div className="caption">{headers.host}</div>
          {passkey.host}
        </div>
        <div className="end">
          <div className="caption">{headers.used}</div>
          <Used {...passkey} />
        </div>
      </div>
      <Box mt="2">
        <Remove passkey={passkey} {...own} />
      </Box>
    </>
  );
  return { columns, item };
};

const keyOf = ({ passkeyId }: OwnPasskey): string => passkeyId;

/** The own passkeys, to add and to remove. A passkey signs in on one host, so those of other hosts are marked by theirs. */
export const PasskeysCard = ({ team, proof, passkeys }: Own & { passkeys: readonly OwnPasskey[] }) => {
  const adding = useDialog();
  const { columns, item } = useMemo(() => passkeyRows({ team, proof }), [team, proof]);
  const obstacle = whyNoPasskeys();
  const { hostname } = window.location;
  const isElsewhere = passkeys.some(({ host }) => host !== hostname);
  return (
    <Card as="section" aria-label={texts.passkeys}>
      <CardHead
        title={texts.passkeys}
        sub={texts.passkeysSub}
        right={
          obstacle === null && (
            <OpenDialogButton dialog={adding} preload={AddPasskeyModal.preload} size="sm">
              <Plus aria-hidden />
              {texts.addPasskey}
            </OpenDialogButton>
          )
        }
      />
      {passkeys.length === 0 ? (
        <Box borderTopWidth="1px" borderColor="border">
          <Empty icon={KeyRound} title={texts.noPasskeys} hint={obstacle ?? texts.addDescription} height="180px" />
        </Box>
      ) : (
        <DataTable label={texts.passkeysTable} rows={passkeys} keyOf={keyOf} columns={columns} item={item} />
      )}
      {passkeys.length > 0 && (obstacle ?? isElsewhere) && (
        <Text textStyle="xs" color="fg.subtle" px={{ base: '4', md: '5' }} py="3">
          {obstacle ?? texts.otherHosts(hostname)}
        </Text>
      )}
      <AddPasskeyModal dialog={adding} team={team} proof={proof} />
    </Card>
  );
};
