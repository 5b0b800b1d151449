import { Flex, Text } from '@chakra-ui/react';
import type { LicenseEntitlements } from '../../../../../src/contracts/entitlements.ts';
import { MINUTE_MS } from '../../../../../src/domain/time.ts';
import type { ManagedCustomer } from '../../../api/changeCustomer.ts';
import { format } from '../../../lib/format.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { Badge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { useNow } from '../../../ui/media.ts';
import { entitlementTexts as texts } from '../texts.ts';

const EntitlementsModal = lazyDialog(async () => (await import('./EntitlementsModal.tsx')).EntitlementsModal);

const Days = ({ startsAt, endsAt }: LicenseEntitlements[number]) => {
  const now = useNow(MINUTE_MS);
  return (
    <Flex gap="2" wrap="wrap" justify="end" align="center">
      {startsAt === null && endsAt === null && texts.always}
      {startsAt !== null && <span>{texts.from(format.utcDate(startsAt))}</span>}
      {endsAt !== null && <span>{texts.until(format.utcDate(endsAt))}</span>}
      {startsAt !== null && Date.parse(startsAt) > now && <Badge tone="gray">{texts.notStarted}</Badge>}
      {endsAt !== null && Date.parse(endsAt) <= now && <Badge tone="red">{texts.ended}</Badge>}
    </Flex>
  );
};

/** What a license includes, with what changes it. */
export const EntitlementsCard = (owner: ManagedCustomer) => {
  const { entitlements } = owner.customer;
  const change = useDialog();
  return (
    <Card as="section" aria-label={texts.title}>
      <CardHead
        title={texts.title}
        right={
          <Allowed to="customers:write">
            <OpenDialogButton dialog={change} preload={EntitlementsModal.preload} size="xs">
              {texts.change}
            </OpenDialogButton>
          </Allowed>
        }
      />
      <Text px={{ base: '4', md: '5' }} pb="3" textStyle="sm" color="fg.muted">
        {entitlements ? texts.complete : texts.everything}
      </Text>
      {entitlements && (
        <Facts>
          {entitlements.map((entitlement) => (
            <Fact key={entitlement.code} label={entitlement.code}>
              <Days {...entitlement} />
            </Fact>
          ))}
        </Facts>
      )}
      <EntitlementsModal dialog={change} owner={owner} />
    </Card>
  );
};
