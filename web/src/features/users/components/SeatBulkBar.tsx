import { Button } from '@chakra-ui/react';
import { csvOf } from '../../../../../src/contracts/csv.ts';
import type { Seat } from '../../../../../src/contracts/seats.ts';
import { dayOf } from '../../../../../src/domain/time.ts';
import { download } from '../../../lib/download.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { BulkBar } from '../../../ui/BulkBar.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Download, LogOut } from '../../../ui/icons.ts';
import type { Selection } from '../../../ui/selection.ts';
import { seatBulkTexts as texts } from '../bulkTexts.ts';
import { seatTexts } from '../seatTexts.ts';
import { StatusAction } from './UserBulkBar.tsx';

const BulkReleaseModal = lazyDialog(async () => (await import('./BulkReleaseModal.tsx')).BulkReleaseModal);

/** The columns of the export, by the names of the API. */
const COLUMNS = [
  'id',
  'username',
  'email',
  'role',
  'status',
  'kind',
  'since',
  'lastCall',
  'idleSince',
  'freeAt',
  'machineId',
  'machineName',
] as const satisfies readonly (keyof Seat)[];

const csvFile = (seats: readonly Seat[]): Blob => {
  const lines = seats.map((seat) => csvOf(COLUMNS.map((column) => String(seat[column] ?? ''))));
  return new Blob([csvOf(COLUMNS), ...lines], { type: 'text/csv;charset=utf-8' });
};

/** What can be done with the selected seats, and with the users who hold them. */
export const SeatBulkBar = ({ selection }: { selection: Selection<Seat> }) => {
  const release = useDialog();
  const seats = [...selection.selected.values()];
  const close = (done: readonly { id: string }[]) => {
    const ids = new Set(done.map(({ id }) => id));
    selection.select(
      seats.filter(({ id }) => ids.has(id)),
      false,
    );
  };
  return (
    <>
      <BulkBar count={seats.length} onClear={selection.clear}>
        <Allowed to="users:write">
          <OpenDialogButton dialog={release} preload={BulkReleaseModal.preload} size="sm">
            <LogOut aria-hidden />
            {seatTexts.release}
          </OpenDialogButton>
          <StatusAction to="inactive" users={seats} onClose={close} />
          <StatusAction to="suspended" users={seats} onClose={close} />
        </Allowed>
        <Button size="sm" variant="outline" onClick={() => download(csvFile(seats), texts.exportName(dayOf(Date.now())))}>
          <Download aria-hidden />
          {texts.exportCsv}
        </Button>
      </BulkBar>
      <BulkReleaseModal dialog={release} seats={seats} onClose={close} />
    </>
  );
};
