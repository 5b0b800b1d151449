import { Box, Button, Dialog, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { messageOf } from '../../../api/error.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { notify } from '../../../ui/notify.ts';
import { Banner, Loading } from '../../../ui/states.tsx';
import { Changes } from '../../history/index.ts';
import { EffectList, effectsOnLicense, usersOf } from '../../impact/index.ts';
import { planMoveQuery, useMoveLicense } from '../api/planOffers.ts';
import { planMoveTexts as texts } from '../moveTexts.ts';
import { type PlanMove, PlanMoveFields } from './PlanMoveFields.tsx';

/** A trial or an expired license usually begins a new term with its new plan. */
const usualTerm = ({ term }: Customer): PlanMove['term'] => (term?.isTrial || term?.state === 'expired' ? 'start' : 'keep');

/** Moves a license to another plan after a preview. */
export const PlanMoveModal = ({ dialog, customer }: { dialog: DialogState; customer: Customer }) => {
  const [wanted, setWanted] = useState<PlanMove>(() => ({ plan: '', term: usualTerm(customer) }));
  const { data: preview, error, isLoading } = useQuery(planMoveQuery(customer.id, wanted.plan, wanted.term));
  const move = useMoveLicense(customer.id);
  const offer = preview?.offer;
  const confirm = () =>
    preview &&
    move.mutate(
      { preview, term: wanted.term },
      {
        onSuccess: () => {
          notify.success(texts.moved(wanted.plan));
          dialog.close();
        },
      },
    );
  return (
    <Modal dialog={dialog} title={texts.title} description={texts.description}>
      <Dialog.Body display="flex" flexDirection="column" gap="4">
        {move.error && <Banner tone="error">{messageOf(move.error, texts.moveFailed)}</Banner>}
        {error && <Banner tone="error">{messageOf(error, texts.loadFailed)}</Banner>}
        <PlanMoveFields value={wanted} onChange={setWanted} except={customer.tier} />
        <Box aria-live="polite">
          {isLoading && <Loading label={texts.loading} height="96px" />}
          {preview && !offer && <Text textStyle="sm">{texts.none}</Text>}
          {offer && (
            <>
              <Text textStyle="sm" fontWeight="medium">
                {texts.changes}
              </Text>
              {offer.changes.length === 0 ? <Text textStyle="sm">{texts.same}</Text> : <Changes changes={offer.changes} />}
              <Box mt="4" _empty={{ display: 'none' }}>
                <EffectList effects={effectsOnLicense(offer.effects)} list={usersOf('admin', customer.id)} />
              </Box>
            </>
          )}
        </Box>
      </Dialog.Body>
      <Dialog.Footer>
        <Button variant="outline" onClick={dialog.close}>
          {texts.cancel}
        </Button>
        <BusyButton colorPalette="brand" onClick={confirm} disabled={!offer} isBusy={move.isPending} busyLabel={texts.moving}>
          {texts.confirm}
        </BusyButton>
      </Dialog.Footer>
    </Modal>
  );
};
