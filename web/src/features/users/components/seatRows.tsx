import '../../../ui/cards.css';
import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Seat } from '../../../../../src/contracts/seats.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ItemAction } from '../../../ui/ItemAction.tsx';
import { Time } from '../../../ui/Time.tsx';
import { Who } from '../../../ui/Who.tsx';
import { seatTexts as texts } from '../seatTexts.ts';
import { MachineId } from './MachineId.tsx';
import { statusIcons } from './statusIcons.ts';

const confirmations = () => import('./UserDialogs.tsx');
const ConfirmStatusDialog = lazyDialog(async () => (await confirmations()).ConfirmStatusDialog);
const FreeSeatDialog = lazyDialog(async () => (await confirmations()).FreeSeatDialog);

const { columns: headers } = texts;
const tones = { developer: 'brand', stakeholder: 'violet' } as const;

/** The React key of a seat's row. */
export const seatKey = ({ id }: Seat): string => id;
export const seatHolder = ({ username }: Seat): string => username;

/** Asks before a seat that floats is given back, or before the user of a named seat is deactivated. */
const Release = ({ seat }: { seat: Seat }) => {
  const dialog = useDialog();
  const isFloating = seat.freeAt !== undefined;
  return (
    <>
      <ItemAction
        label={texts.release}
        name={texts.releaseOf(seat.username)}
        icon={statusIcons.inactive}
        onPress={dialog.open}
        opens={isFloating ? FreeSeatDialog : ConfirmStatusDialog}
      />
      {isFloating ? (
        <FreeSeatDialog dialog={dialog} seat={seat} />
      ) : (
        <ConfirmStatusDialog dialog={dialog} user={seat} to="inactive" isRelease />
      )}
    </>
  );
};

/** When a floating seat becomes free without another use. */
const SeatEnd = ({ seat: { freeAt } }: { seat: Seat }) =>
  freeAt === undefined ? texts.own : freeAt === null ? texts.whileConnected : <Time at={freeAt} />;

/** Whether the user is connected, or since when the seat was not used. */
const SeatUse = ({ seat: { idleSince } }: { seat: Seat }) =>
  idleSince === null ? <StatusBadge status="connected">{texts.connected}</StatusBadge> : <Time at={idleSince} as="ago" />;

/** The name of the machine, or else its id. */
const SeatMachine = ({ seat: { machineId, machineName } }: { seat: Seat }) =>
  machineName === null ? <MachineId id={machineId} /> : <span title={machineId ?? machineName}>{machineName}</span>;

const columns: readonly Column<Seat>[] = [
  {
    header: headers.holder,
    sort: 'username',
    cell: ({ username, email }) => (
      <div className="clip">
        <Who name={username} detail={email} />
      </div>
    ),
  },
  { header: headers.kind, cell: ({ kind }) => <Badge tone={tones[kind]}>{texts.kind[kind]}</Badge> },
  {
    header: headers.since,
    tone: 'muted',
    isExtra: true,
    sort: 'since',
    isDescendingFirst: true,
    cell: ({ since, freeAt }) => <Time at={since} as={freeAt === undefined ? 'date' : 'ago'} />,
  },
  { header: headers.idle, sort: 'idleSince', cell: (row) => <SeatUse seat={row} /> },
  {
    header: headers.lastCall,
    tone: 'muted',
    sort: 'lastCall',
    isDescendingFirst: true,
    cell: ({ lastCall }) => <Time at={lastCall} as="ago" />,
  },
  {
    header: headers.machine,
    isExtra: true,
    cell: (row) => (
      <div className="clip">
        <SeatMachine seat={row} />
      </div>
    ),
  },
  {
    header: headers.actions,
    isHeaderHidden: true,
    align: 'end',
    cell: (row) => (
      <Allowed to="users:write">
        <Release seat={row} />
      </Allowed>
    ),
  },
];

const endColumn: Column<Seat> = { header: headers.freeAt, tone: 'muted', cell: (row) => <SeatEnd seat={row} /> };
/** The end of a lease follows from the idle time, so its column stands beside it. */
const floatingColumns = columns.flatMap((column) => (column.header === headers.idle ? [column, endColumn] : [column]));

/** The columns of the table of seats; `isFloating` where users share those of a kind. */
export const seatColumnsOf = (isFloating: boolean): readonly Column<Seat>[] => (isFloating ? floatingColumns : columns);

/** A seat as a list item. */
export const seatItem = (row: Seat) => (
  <>
    <Who name={row.username} detail={row.email} right={<SeatUse seat={row} />} />
    <Flex mt="2" gap="2" align="center" justify="space-between">
      <Badge tone={tones[row.kind]}>{texts.kind[row.kind]}</Badge>
      {row.freeAt !== undefined && (
        <Text textStyle="xs" color="fg.muted">
          {row.freeAt !== null && `${texts.freeAt} `}
          <SeatEnd seat={row} />
        </Text>
      )}
      <Box>
        <Allowed to="users:write">
          <Release seat={row} />
        </Allowed>
      </Box>
    </Flex>
  </>
);

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** What the row of a seat shows, and when the user was last signed in. */
export const SeatFacts = ({ seat }: { seat: Seat }) => (
  <dl className="card-facts">
    <Fact label={headers.since}>
      <Time at={seat.since} />
    </Fact>
    <Fact label={headers.idle}>
      <SeatUse seat={seat} />
    </Fact>
    {seat.freeAt !== undefined && (
      <Fact label={headers.freeAt}>
        <SeatEnd seat={seat} />
      </Fact>
    )}
    <Fact label={headers.lastCall}>
      <Time at={seat.lastCall} />
    </Fact>
    <Fact label={headers.machine}>
      <SeatMachine seat={seat} />
    </Fact>
  </dl>
);
