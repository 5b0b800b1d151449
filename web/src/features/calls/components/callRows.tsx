import { Flex } from '@chakra-ui/react';
import type { RecordedCallEntry } from '../../../../../src/contracts/calls.ts';
import { format } from '../../../lib/format.ts';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { callTexts as texts } from '../texts.ts';
import { voidTexts } from '../voidTexts.ts';

const { columns: headers } = texts;

export const callKey = ({ id }: RecordedCallEntry): string => id;

/** The status of the response, colored by the outcome, and whether the call was voided. */
export const CallOutcome = ({ isSuccessful, status, voidId, isNotIncluded }: RecordedCallEntry) => (
  <Flex as="span" display="inline-flex" gap="1.5" wrap="wrap">
    <StatusBadge status={isSuccessful ? 'active' : 'error'}>{texts.statusOf(status)}</StatusBadge>
    {isNotIncluded && <Badge tone="red">{texts.notIncluded}</Badge>}
    {voidId !== undefined && <Badge tone="amber">{voidTexts.voided}</Badge>}
  </Flex>
);

export const customerOf = ({ customer }: RecordedCallEntry): string => customer.name ?? texts.deleted;
export const userOf = ({ user }: RecordedCallEntry): string => user.username ?? texts.removedUser;

/** Opens the details of a call. */
const OpenButton = ({ row, onOpen }: { row: RecordedCallEntry; onOpen: (row: RecordedCallEntry) => void }) => (
  <button type="button" className="text-link" title={texts.details} aria-haspopup="dialog" onClick={() => onOpen(row)}>
    <time dateTime={row.at} title={format.exactZoned(row.at)}>
      {format.exact(row.at)}
    </time>
  </button>
);

type RowsOf = { columns: readonly Column<RecordedCallEntry>[]; item: (row: RecordedCallEntry) => React.ReactNode };

/** The columns of a list. `shows` is what differs between the calls of the list. */
export const rowsOf = (shows: { customer: boolean; user: boolean }, onOpen: (row: RecordedCallEntry) => void): RowsOf => ({
  columns: [
    { header: headers.time, cell: (row) => <OpenButton row={row} onOpen={onOpen} /> },
    ...(shows.customer ? [{ header: headers.customer, cell: customerOf }] : []),
    ...(shows.user ? [{ header: headers.user, isSecondary: shows.customer, cell: userOf }] : []),
    { header: headers.operation, cell: (row) => <code className="mono">{row.operation}</code> },
    {
      header: headers.instance,
      tone: 'muted',
      isExtra: true,
      takesRest: true,
      cell: (row) => (
        <div className="clip" title={row.instanceUrl}>
          {row.instanceUrl}
        </div>
      ),
    },
    { header: headers.service, tone: 'muted', isSecondary: true, cell: (row) => texts.services[row.service] },
    { header: headers.status, cell: CallOutcome },
    { header: headers.duration, align: 'end', cell: (row) => format.duration(row.durationMs) },
  ],
  item: (row) => (
    <>
      <div className="item-facts">
        <div>
          <OpenButton row={row} onOpen={onOpen} />
          <div>
            <code className="mono">{row.operation}</code>
          </div>
        </div>
        <div className="end">
          <CallOutcome {...row} />
        </div>
      </div>
      <div className="item-facts">
        <div className="caption">
          {[shows.customer && customerOf(row), shows.user && userOf(row), texts.services[row.service]].filter(Boolean).join(' · ')}
        </div>
        <b>{format.duration(row.durationMs)}</b>
      </div>
    </>
  ),
});
