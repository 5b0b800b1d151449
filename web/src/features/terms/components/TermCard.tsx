import { Flex, Text } from '@chakra-ui/react';
import type { LicenseTerm } from '../../../../../src/contracts/terms.ts';
import type { ManagedCustomer } from '../../../api/changeCustomer.ts';
import { format } from '../../../lib/format.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { type DialogState, lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { countedDays, termCardTexts as texts } from '../cardTexts.ts';
import { TermBadge } from './TermBadge.tsx';

const dialogs = () => import('./TermDialogs.tsx');
const SetTermModal = lazyDialog(async () => (await dialogs()).SetTermModal);
const RenewModal = lazyDialog(async () => (await dialogs()).RenewModal);
const ExtendModal = lazyDialog(async () => (await dialogs()).ExtendModal);
const RemoveTermDialog = lazyDialog(async () => (await dialogs()).RemoveTermDialog);

const { facts } = texts;

const OpenButton = ({ dialog, children, isMain = false }: { dialog: DialogState; children: string; isMain?: boolean }) => (
  <OpenDialogButton
    dialog={dialog}
    preload={SetTermModal.preload}
    size="xs"
    variant={isMain ? 'solid' : 'outline'}
    {...(isMain && { colorPalette: 'brand' })}
  >
    {children}
  </OpenDialogButton>
);

const TermFacts = ({ term }: { term: LicenseTerm }) => (
  <Facts>
    <Fact label={facts.state}>
      <Flex gap="2" wrap="wrap">
        {term.state === 'active' && !term.isTrial ? texts.active : <TermBadge customer={{ term }} />}
      </Flex>
    </Fact>
    <Fact label={facts.start}>{format.utcDate(term.startsAt)}</Fact>
    <Fact label={facts.expires}>{format.utcDate(term.expiresAt)}</Fact>
    <Fact label={facts.grace}>
      {term.graceDays === 0 ? texts.noGrace : texts.graceUntil(countedDays(term.graceDays), format.utcDate(term.endsAt))}
    </Fact>
    <Fact label={facts.trial}>{term.isTrial ? texts.yes : texts.no}</Fact>
  </Facts>
);

/** How long a customer's license runs, with what changes it. */
export const TermCard = (owner: ManagedCustomer) => {
  const { term } = owner.customer;
  const set = useDialog();
  const renew = useDialog();
  const extend = useDialog();
  const remove = useDialog();
  return (
    <Card as="section" aria-label={texts.title}>
      <CardHead
        title={texts.title}
        right={
          <Allowed to="customers:write">
            <Flex gap="2" wrap="wrap" justify="end">
              {term && (
                <OpenButton dialog={renew} isMain>
                  {texts.renew}
                </OpenButton>
              )}
              {term && <OpenButton dialog={extend}>{texts.extend}</OpenButton>}
              <OpenButton dialog={set}>{term ? texts.change : texts.set}</OpenButton>
            </Flex>
          </Allowed>
        }
      />
      {term ? (
        <>
          <TermFacts term={term} />
          <Allowed to="customers:write">
            <Flex px={{ base: '4', md: '5' }} pb="4" justify="end">
              <OpenButton dialog={remove}>{texts.remove}</OpenButton>
            </Flex>
          </Allowed>
        </>
      ) : (
        <Text px={{ base: '4', md: '5' }} pb="4" textStyle="sm" color="fg.muted">
          {texts.none}
        </Text>
      )}
      <SetTermModal dialog={set} owner={owner} />
      <RenewModal dialog={renew} owner={owner} />
      <ExtendModal dialog={extend} owner={owner} />
      <RemoveTermDialog dialog={remove} owner={owner} />
    </Card>
  );
};
