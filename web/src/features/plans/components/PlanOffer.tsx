import { Box } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { messageOf } from '../../../api/error.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Info } from '../../../ui/icons.ts';
import { Banner } from '../../../ui/states.tsx';
import { planOfferQuery } from '../api/planOffers.ts';
import { planOfferTexts as texts } from '../offerTexts.ts';

const PlanOfferModal = lazyDialog(async () => (await import('./PlanOfferModal.tsx')).PlanOfferModal);

/** Offers what the plan of a license changed, to those who may change the license. */
export const PlanOffer = ({ manager, customer }: { manager: CustomerManager; customer: Customer }) => {
  const mayWrite = usePermission('customers:write');
  const dialog = useDialog();
  const { data, error } = useQuery({ ...planOfferQuery(manager, customer.id), enabled: mayWrite });
  if (!mayWrite) return null;
  const offer = data?.offer ?? null;
  return (
    <>
      {error && (
        <Box mb="4">
          <Banner tone="warning">{messageOf(error, texts.loadFailed)}</Banner>
        </Box>
      )}
      {offer && (
        <Box mb="4">
          <Banner
            tone="info"
            icon={Info}
            action={
              <OpenDialogButton dialog={dialog} preload={PlanOfferModal.preload} size="xs">
                {texts.review}
              </OpenDialogButton>
            }
          >
            {texts.offered(offer.code)}
          </Banner>
        </Box>
      )}
      {offer && <PlanOfferModal dialog={dialog} manager={manager} customerId={customer.id} offer={offer} />}
    </>
  );
};
