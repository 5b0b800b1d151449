import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Seat } from '../../../../../src/contracts/seats.ts';
import type { BulkKeys } from '../../../api/client.ts';
import { BulkDialog } from '../../../ui/BulkDialog.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { EffectList, Effects, effectsOfFreeing, effectsOnSeveralUsers, severalUsersImpactQuery } from '../../impact/index.ts';
import { putUserStatus, releaseFloatingSeat, TOUCHED_BY_SEATS, useUsersRoot } from '../api/users.ts';
import { seatBulkTexts as texts } from '../bulkTexts.ts';
import { seatTexts } from '../seatTexts.ts';
import { seatKey } from './seatRows.tsx';

const isFloating = ({ freeAt }: Seat): boolean => freeAt !== undefined;
const nameOf = ({ username }: Seat): string => username;

type BulkReleaseModalProps = {
  dialog: DialogState;
  seats: readonly Seat[];
  /** Called with the released seats when the dialog closes. */
  onClose: (done: readonly Seat[]) => void;
};

/** Releases the selected seats: those that float become free, and the users of others become inactive. */
export const BulkReleaseModal = ({ dialog, seats, onClose }: BulkReleaseModalProps) => {
  const root = useUsersRoot();
  const [named] = useState(() => seats.filter((seat) => !isFloating(seat)));
  const [freed] = useState(() => effectsOfFreeing(seats.filter(isFloating)));
  const impact = useQuery({ ...severalUsersImpactQuery(root, named, 'inactive'), enabled: named.length > 0 });
  const change = (seat: Seat, keys: BulkKeys): Promise<unknown> =>
    isFloating(seat)
      ? releaseFloatingSeat(root, seat.id, keys)
      : putUserStatus(root, seat, { status: 'inactive' }, { fallback: seatTexts.releaseFailed, ...keys });
  return (
    <BulkDialog
      dialog={dialog}
      title={texts.title}
      rows={seats}
      keyOf={seatKey}
      nameOf={nameOf}
      isAffected={() => true}
      preview={(seat) =>
        isFloating(seat) ? (
          texts.becomesFree
        ) : (
          <>
            <StatusBadge status={seat.status} /> {texts.becomes} <StatusBadge status="inactive" />
          </>
        )
      }
      confirmLabel={texts.confirm}
      busyLabel={seatTexts.releasing}
      isDestructive
      change={change}
      touched={TOUCHED_BY_SEATS}
      fallback={seatTexts.releaseFailed}
      onClose={onClose}
    >
      {named.length > 0 ? (
        <Effects query={impact} effectsOf={(decided) => [...freed, ...effectsOnSeveralUsers(decided)]} />
      ) : (
        <EffectList effects={freed} />
      )}
    </BulkDialog>
  );
};
