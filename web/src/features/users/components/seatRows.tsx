import '../../../ui/cards.css';
import { Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Seat } from '../../../../../src/contracts/seats.ts';
import { messageOf } from '../../../api/error.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { ItemAction } from '../../../ui/ItemAction.tsx';
import { notify } from '../../../ui/notify.ts';
import { Time } from '../../../ui/Time.tsx';
import { Who } from '../../../ui/Who.tsx';
import { seatTexts as texts } from '../seatTexts.ts';
import { MachineId } from './MachineId.tsx';
import { statusIcons } from './statusIcons.ts';
import { useStatusChange } from './useStatusChange.ts';

const { columns: headers } = texts;
const tones = { developer: 'brand', stakeholder: 'violet' } as const;

/** The React key of a seat's row. */
export const seatKey = ({ id }: Seat): string => id;

/** Deactivates the user of a seat, which can be undone while a seat is free. */
const ReleaseButton = ({ seat }: { seat: Seat }) => {
  const { run, isBusy } = useStatusChange(seat);
  const press = () =>
    void run({ status: 'inactive' }).catch((error: unknown) => notify.error(messageOf(error, texts.releaseFailed)));
  return (
    <ItemAction
      label={texts.release}
      name={texts.releaseOf(seat.username)}
      icon={statusIcons.inactive}
      onPress={press}
      isBusy={isBusy}
      busyLabel={texts.releasing}
    />
  );
};

/** Whether the user is connected, or since when the seat was not used. */
const SeatUse = ({ seat: { idleSince } }: { seat: Seat }) =>
  idleSince === null ? <StatusBadge status="connected">{texts.connected}</StatusBadge> : <Time at={idleSince} as="ago" />;

/** The name of the machine, or else its id. */
const SeatMachine = ({ seat: { machineId, machineName } }: { seat: Seat }) =>
  machineName === null ? <MachineId id={machineId} /> : <span title={machineId ?? machineName}>{machineName}</span>;

/** The columns of the table of seats. */
export const seatColumns: readonly Column<Seat>[] = [
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
    cell: ({ since }) => <Time at={since} as="date" />,
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
        <ReleaseButton seat={row} />
      </Allowed>
    ),
  },
];

/** A seat as a list item. */
export const seatItem = (row: Seat) => (
  <>
    <Who name={row.username} detail={row.email} right={<SeatUse seat={row} />} />
    <Flex mt="2" gap="2" align="center" justify="space-between">
      <Badge tone={tones[row.kind]}>{texts.kind[row.kind]}</Badge>
      <Box>
        <Allowed to="users:write">
          <ReleaseButton seat={row} />
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
    <Fact label={headers.lastCall}>
      <Time at={seat.lastCall} />
    </Fact>
    <Fact label={headers.machine}>
      <SeatMachine seat={seat} />
    </Fact>
  </dl>
);
