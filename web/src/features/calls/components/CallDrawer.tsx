import { Box, Button } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { RecordedCallEntry } from '../../../../../src/contracts/calls.ts';
import { format } from '../../../lib/format.ts';
import { localDayOf } from '../../../lib/listAddress.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Drawer } from '../../../ui/Drawer.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { History, ListFilter } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { callTexts as texts } from '../texts.ts';
import { CallOutcome, customerOf, userOf } from './callRows.tsx';

const { facts: labels } = texts;

type CallDrawerProps = {
  dialog: DialogState;
  call: RecordedCallEntry;
  /** Where customers and users have screens; null where they have none. */
  customers: string | null;
  users: string | null;
  /** The audit page that has the customer's entries; null where there is none. */
  audit: string | null;
  /** Shows only calls with the values. */
  onFilter: (filter: Readonly<Record<string, string>>) => void;
};

/** The customer's entries of the day of a call, in the browser's time zone. */
const auditSearch = ({ at, customer }: RecordedCallEntry): string => {
  const day = localDayOf(at);
  return new URLSearchParams({ customer: customer.customerId, from: day, to: day }).toString();
};

/** Everything about a call. Values filter the list. */
export const CallDrawer = ({ dialog, call, customers, users, audit, onFilter }: CallDrawerProps) => {
  const by = (label: string, filter: Readonly<Record<string, string>>) => (
    <Button
      variant="ghost"
      size="xs"
      px="1.5"
      aria-label={texts.filters.by(label)}
      title={texts.filters.by(label)}
      onClick={() => {
        onFilter(filter);
        dialog.close();
      }}
    >
      <ListFilter aria-hidden />
    </Button>
  );
  const linked = (to: string | null, text: string, isThere: boolean): ReactNode =>
    to !== null && isThere ? (
      <Link className="text-link" to={to}>
        {text}
      </Link>
    ) : (
      text
    );
  return (
    <Drawer dialog={dialog} title={texts.drawer} description={<code className="mono">{call.operation}</code>}>
      <Facts>
        <Fact label={labels.outcome}>
          <CallOutcome {...call} />
          {by(labels.status, { status: String(call.status ?? 'none') })}
        </Fact>
        <Fact label={labels.at}>{format.exactZoned(call.at)}</Fact>
        <Fact label={labels.receivedAt}>{format.exactZoned(call.receivedAt)}</Fact>
        <Fact label={labels.duration}>{format.duration(call.durationMs)}</Fact>
        <Fact label={labels.customer}>
          {linked(customers && `${customers}/${call.customer.customerId}`, customerOf(call), call.customer.name !== null)}
          {customers !== null && by(labels.customer, { customer: call.customer.customerId })}
        </Fact>
        <Fact label={labels.user}>
          {linked(
            users && `${users}?search=${encodeURIComponent(call.user.username ?? '')}`,
            userOf(call),
            call.user.username !== null,
          )}
          {users !== null && by(labels.user, { user: call.user.userId })}
        </Fact>
        <Fact label={labels.service}>
          {texts.services[call.service]}
          {by(labels.service, { service: call.service })}
        </Fact>
        <Fact label={labels.instance}>
          {call.instanceUrl}
          {by(labels.instance, { instance: call.instanceUrl })}
        </Fact>
        <Fact label={labels.operation}>
          <code className="mono">{call.operation}</code>
          {by(labels.operation, { operation: call.operation })}
        </Fact>
        <Fact label={labels.source}>
          <code className="mono">{call.sourceId}</code>
          {by(labels.source, { source: call.sourceId, user: users === null ? '' : call.user.userId })}
        </Fact>
        <Fact label={labels.sequence}>{format.whole(call.sequence)}</Fact>
        <Fact label={labels.event}>
          <code className="mono">{call.eventId}</code>
          <CopyButton text={call.eventId} label={texts.copyEvent} />
        </Fact>
      </Facts>
      {audit !== null && (
        <Allowed to="history:read">
          <Box px={{ base: '4', md: '5' }} pb="4">
            <Button asChild size="sm" variant="outline">
              <Link to={`${audit}?${auditSearch(call)}`}>
                <History aria-hidden />
                {texts.audit}
              </Link>
            </Button>
          </Box>
        </Allowed>
      )}
    </Drawer>
  );
};
