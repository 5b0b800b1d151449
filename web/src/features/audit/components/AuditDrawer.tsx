import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuditEntry, AuditEntryReply } from '../../../../../src/contracts/audit.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { MAX_RELATED_ENTRIES } from '../../../../../src/domain/limits.ts';
import type { Permission } from '../../../../../src/domain/permissions.ts';
import { isMissing } from '../../../api/error.ts';
import { areaRoot } from '../../../areas.ts';
import { format } from '../../../lib/format.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Drawer } from '../../../ui/Drawer.tsx';
import { type DialogState, lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { History, Link2, ListFilter, Undo2, Users } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { notify } from '../../../ui/notify.ts';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Changes, methodNames, typeLabels } from '../../history/index.ts';
import { type AuditArea, auditEntryQuery } from '../api/audit.ts';
import { revertOf } from '../revertible.ts';
import { auditTexts as texts } from '../texts.ts';

const { facts: labels } = texts;

const RevertModal = lazyDialog(async () => (await import('./RevertModal.tsx')).RevertModal);

type OpenProps = { area: AuditArea; onOpen: (id: string) => void; onFilter: (filter: Readonly<Record<string, string>>) => void };

const Heading = ({ children }: { children: ReactNode }) => (
  <Text as="h3" textStyle="sm" fontWeight="semibold" mb="1">
    {children}
  </Text>
);

/** Entries that belong to the shown one. */
const Others = ({ title, entries, onOpen }: { title: string; entries: readonly AuditEntry[] } & Pick<OpenProps, 'onOpen'>) =>
  entries.length > 0 && (
    <Box px={{ base: '4', md: '5' }} pb="4">
      <Heading>{title}</Heading>
      <Box as="ul" listStyleType="none" display="flex" flexDirection="column" gap="1">
        {entries.map(({ id, at, summary, customer }) => (
          <Box as="li" key={id} textStyle="sm">
            <Button
              variant="ghost"
              size="sm"
              h="auto"
              py="1.5"
              px="2"
              mx="-2"
              whiteSpace="normal"
              textAlign="start"
              justifyContent="flex-start"
              onClick={() => onOpen(id)}
            >
              <span>
                {summary}{' '}
                <Text as="span" color="fg.subtle" textStyle="xs">
                  {[customer?.name, format.exact(at)].filter(Boolean).join(' · ')}
                </Text>
              </span>
            </Button>
          </Box>
        ))}
      </Box>
      {/* The reply leaves out the shown entry itself. */}
      {entries.length >= MAX_RELATED_ENTRIES - 1 && (
        <Text mt="1" textStyle="xs" color="fg.subtle">
          {texts.relatedShown(format.whole(entries.length))}
        </Text>
      )}
    </Box>
  );

type FilterButtonProps = Pick<OpenProps, 'onFilter'> & { label: string; filter: Readonly<Record<string, string>> };

/** Shows only entries with the value beside it. */
const FilterButton = ({ label, filter, onFilter }: FilterButtonProps) => (
  <Button
    variant="ghost"
    size="xs"
    px="1.5"
    aria-label={texts.filterBy(label)}
    title={texts.filterBy(label)}
    onClick={() => onFilter({ ...filter, entry: '' })}
  >
    <ListFilter aria-hidden />
  </Button>
);

/** Whom the entry is about, with a link where the object exists. */
const Subjects = ({ area, entry: { customer, integrator }, onFilter }: OpenProps & { entry: AuditEntry }) => (
  <>
    {customer && (
      <Fact label={labels.customer}>
        {customer.name === null ? (
          texts.deleted
        ) : (
          <Link className="text-link" to={`${areaRoot[area]}/customers/${customer.customerId}`}>
            {customer.name}
          </Link>
        )}
        <FilterButton label={labels.customer} filter={{ customer: customer.customerId }} onFilter={onFilter} />
      </Fact>
    )}
    {integrator && area === 'admin' && (
      <Fact label={labels.integrator}>
        {integrator.name === null ? (
          texts.deleted
        ) : (
          <Link className="text-link" to={`/admin/service-integrators/${integrator.integratorId}`}>
            {integrator.name}
          </Link>
        )}
      </Fact>
    )}
  </>
);

const copyLink = async (id: string): Promise<void> => {
  await navigator.clipboard.writeText(`${location.origin}${location.pathname}?entry=${id}`);
  notify.success(texts.linkCopied);
};

type RevertButtonProps = { area: AuditArea; entry: AuditEntry; needs: Permission; customerId: CustomerId | null };

const RevertButton = ({ area, entry, needs, customerId }: RevertButtonProps) => {
  const dialog = useDialog();
  return (
    <Allowed to={needs}>
      <OpenDialogButton dialog={dialog} preload={RevertModal.preload} size="sm">
        <Undo2 aria-hidden />
        {texts.revert}
      </OpenDialogButton>
      <RevertModal dialog={dialog} area={area} entry={entry} needs={needs} customerId={customerId} />
    </Allowed>
  );
};

/** The screen of the account that an entry is about, which is that of a service integrator or the own one; null for others. */
const accountPathOf = (area: AuditArea, { customer, integrator }: AuditEntry): string | null => {
  if (customer !== null) return null;
  if (area === 'integrator') return '/service-integrator/settings';
  return integrator?.name == null ? null : `/admin/service-integrators/${integrator.integratorId}`;
};

const Actions = ({ area, entry, isReverted }: { area: AuditArea; entry: AuditEntry; isReverted: boolean }) => {
  const { id, at, customer } = entry;
  const accountPath = accountPathOf(area, entry);
  const revert = revertOf(area, entry);
  return (
    <Flex data-page-actions gap="2" wrap="wrap" px={{ base: '4', md: '5' }} pb="4">
      {customer?.name != null && (
        <Allowed to="customers:read">
          <Button asChild size="sm" variant="outline">
            <Link to={`${areaRoot[area]}/customers/${customer.customerId}?asOf=${at}`}>
              <History aria-hidden />
              {texts.asOf}
            </Link>
          </Button>
          <Button asChild size="sm" variant="outline">
            <Link to={`${areaRoot[area]}/customers/${customer.customerId}`}>
              <Users aria-hidden />
              {texts.openCustomer}
            </Link>
          </Button>
        </Allowed>
      )}
      {accountPath !== null && (
        <Allowed to={area === 'admin' ? 'integrators:read' : 'profile:read'}>
          <Button asChild size="sm" variant="outline">
            <Link to={`${accountPath}?asOf=${at}`}>
              <History aria-hidden />
              {texts.asOf}
            </Link>
          </Button>
        </Allowed>
      )}
      <Button size="sm" variant="outline" onClick={() => void copyLink(id).catch(() => notify.error(texts.linkNotCopied))}>
        <Link2 aria-hidden />
        {texts.copyLink}
      </Button>
      {revert && !isReverted && <RevertButton area={area} entry={entry} {...revert} />}
    </Flex>
  );
};

const Details = ({ reply: { entry, related, revertedBy }, ...open }: { reply: AuditEntryReply } & OpenProps) => {
  const { actor } = entry;
  const { reverts } = entry;
  return (
    <Box data-entry={entry.id}>
      <Text textStyle="md" fontWeight="medium" px={{ base: '4', md: '5' }} pt="4" pb="3" overflowWrap="anywhere">
        {entry.summary}
      </Text>
      <Actions area={open.area} entry={entry} isReverted={revertedBy.length > 0} />
      <Facts>
        <Fact label={labels.at}>
          <time dateTime={entry.at} title={format.exactZoned(entry.at)}>
            {format.exactZoned(entry.at)}
          </time>
        </Fact>
        <Fact label={labels.type}>{typeLabels[entry.type] ?? entry.type}</Fact>
        <Fact label={labels.actor}>
          {actor.name}
          <FilterButton label={labels.actor} filter={{ actor: actor.userId ?? actor.kind }} onFilter={open.onFilter} />
        </Fact>
        {actor.method && <Fact label={labels.method}>{methodNames[actor.method]}</Fact>}
        <Fact label={labels.address}>{actor.address ?? texts.unknown}</Fact>
        {actor.sessionId && (
          <Fact label={labels.session}>
            <code className="mono">{actor.sessionId}</code>
          </Fact>
        )}
        <Subjects entry={entry} {...open} />
        <Fact label={labels.event}>
          <code className="mono">{entry.id}</code>
          <CopyButton text={entry.id} label={texts.copyEvent} />
        </Fact>
      </Facts>
      <Box px={{ base: '4', md: '5' }} pb="4">
        <Heading>{texts.changes}</Heading>
        {entry.changes.length > 0 ? (
          <Changes changes={entry.changes} />
        ) : (
          <Text textStyle="sm" color="fg.muted">
            {texts.noChanges}
          </Text>
        )}
      </Box>
      {reverts !== null && (
        <Box px={{ base: '4', md: '5' }} pb="4">
          <Button size="sm" variant="outline" onClick={() => open.onOpen(reverts)}>
            {texts.openReverted}
          </Button>
        </Box>
      )}
      <Others title={texts.revertedBy} entries={revertedBy} onOpen={open.onOpen} />
      <Others title={texts.related} entries={related} onOpen={open.onOpen} />
    </Box>
  );
};

type AuditDrawerProps = OpenProps & { dialog: DialogState; id: string };

/** Everything about an entry, and what belongs to it. */
export const AuditDrawer = ({ dialog, id, ...open }: AuditDrawerProps) => {
  const query = useQuery(auditEntryQuery(open.area, id));
  return (
    <Drawer dialog={dialog} title={texts.entry}>
      {isMissing(query.error) ? (
        <Empty icon={History} title={texts.entryMissing} />
      ) : (
        <QueryView query={query} loading={texts.loadingEntry} fallback={texts.loadEntryFailed} height="320px">
          {(reply) => <Details reply={reply} {...open} />}
        </QueryView>
      )}
    </Drawer>
  );
};
