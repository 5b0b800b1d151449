import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
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

type RowsOf = { columns: readonly Column<RecordedCallEntry>[]; item: (row: RecordedCallEntry) => ReactNode };

/** Sources are often random ids; the details have the whole one. */
const SOURCE_SHOWN = 10;
const shortened = (sourceId: string): string =>
  sourceId.length > SOURCE_SHOWN ? `${sourceId.slice(0, SOURCE_SHOWN - 1)}…` : sourceId;

type Filter = (filter: Readonly<Record<string, string>>) => void;

type CellProps = {
  of: string;
  by: Readonly<Record<string, string>>;
  filter: Filter;
  hint?: string;
  isClipped?: boolean;
  children: ReactNode;
};

/** A value by which a click filters the list. The details have the same filters, so each row has one stop of the tab key. */
const Cell = ({ of, by, filter, hint, isClipped = false, children }: CellProps) => (
  <button
    type="button"
    tabIndex={-1}
    className={isClipped ? 'figure-link printed clip' : 'figure-link printed'}
    {...(isClipped && { style: { minWidth: '96px' } })}
    title={hint === undefined ? texts.filters.by(of) : `${hint}: ${texts.filters.by(of)}`}
    onClick={() => filter(by)}
  >
    {children}
  </button>
);

/** The columns of a list. `shows` is what differs between the calls of the list. A click on a value calls `filter` with it. */
export const rowsOf = (
  shows: { customer: boolean; user: boolean },
  onOpen: (row: RecordedCallEntry) => void,
  filter: Filter,
): RowsOf => ({
  columns: [
    { header: headers.time, cell: (row) => <OpenButton row={row} onOpen={onOpen} /> },
    ...(shows.customer
      ? [
          {
            header: headers.customer,
            cell: (row: RecordedCallEntry) => (
              <Cell of={headers.customer} by={{ customer: row.customer.customerId }} filter={filter}>
                {customerOf(row)}
              </Cell>
            ),
          },
        ]
      : []),
    ...(shows.user
      ? [
          {
            header: headers.user,
            isSecondary: shows.customer,
            cell: (row: RecordedCallEntry) => (
              <Cell of={headers.user} by={{ user: row.user.userId }} filter={filter}>
                {userOf(row)}
              </Cell>
            ),
          },
        ]
      : []),
    {
      header: headers.operation,
      cell: ({ operation }) => (
        <Cell of={headers.operation} by={{ operation }} filter={filter}>
          <code className="mono">{operation}</code>
        </Cell>
      ),
    },
    {
      header: headers.instance,
      tone: 'muted',
      isExtra: true,
      takesRest: true,
      cell: ({ instanceUrl }) => (
        <Cell of={headers.instance} by={{ instance: instanceUrl }} filter={filter} hint={instanceUrl} isClipped>
          {instanceUrl}
        </Cell>
      ),
    },
    {
      header: headers.service,
      tone: 'muted',
      isSecondary: true,
      cell: ({ service }) => (
        <Cell of={headers.service} by={{ service }} filter={filter}>
          {texts.services[service]}
        </Cell>
      ),
    },
    {
      header: headers.source,
      tone: 'muted',
      isExtra: true,
      cell: ({ sourceId, user }) => (
        // Calls of a user are found sooner than calls of a source.
        <Cell
          of={headers.source}
          by={{ source: sourceId, ...(shows.user && { user: user.userId }) }}
          filter={filter}
          hint={sourceId}
        >
          <code className="mono">{shortened(sourceId)}</code>
        </Cell>
      ),
    },
    {
      header: headers.status,
      cell: (row) => (
        <Cell of={headers.status} by={{ status: String(row.status ?? 'none') }} filter={filter}>
          <CallOutcome {...row} />
        </Cell>
      ),
    },
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
