import { Button, Dialog, Text } from '@chakra-ui/react';
import { useRef } from 'react';
import type { PlanOffer } from '../../../../../src/contracts/planOffers.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { messageOf } from '../../../api/error.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { notify } from '../../../ui/notify.ts';
import { Banner } from '../../../ui/states.tsx';
import { Changes } from '../../history/index.ts';
import { EffectList, effectsOnLicense, usersOf } from '../../impact/index.ts';
import { useAcceptPlanOffer } from '../api/planOffers.ts';
import { planOfferTexts as texts } from '../offerTexts.ts';

type PlanOfferModalProps = { dialog: DialogState; manager: CustomerManager; customerId: CustomerId; offer: PlanOffer };

/** Shows what the plan changes in a license, and asks before it is applied. */
export const PlanOfferModal = ({ dialog, manager, customerId, offer }: PlanOfferModalProps) => {
  const cancel = useRef<HTMLButtonElement>(null);
  const accept = useAcceptPlanOffer(manager, customerId);
  const apply = () =>
    accept.mutate(offer.version, {
      onSuccess: () => {
        notify.success(texts.applied);
        dialog.close();
      },
    });
  return (
    <Modal dialog={dialog} title={texts.title(offer.code)} description={texts.description} initialFocus={cancel}>
      <Dialog.Body display="flex" flexDirection="column" gap="4">
        {accept.error && <Banner tone="error">{messageOf(accept.error, texts.applyFailed)}</Banner>}
        {offer.changes.length === 0 ? <Text textStyle="sm">{texts.none}</Text> : <Changes changes={offer.changes} />}
        <EffectList effects={effectsOnLicense(offer.effects)} list={usersOf(manager, customerId)} />
      </Dialog.Body>
      <Dialog.Footer>
        <Button ref={cancel} variant="outline" onClick={dialog.close}>
          {texts.cancel}
        </Button>
        <BusyButton colorPalette="brand" onClick={apply} isBusy={accept.isPending} busyLabel={texts.applying}>
          {texts.apply}
        </BusyButton>
      </Dialog.Footer>
    </Modal>
  );
};
