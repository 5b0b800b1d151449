import { Box, SimpleGrid } from '@chakra-ui/react';
import { type Customer, type UpdateCustomer, updateCustomer } from '../../../../../src/contracts/customers.ts';
import { useUpdateCustomer } from '../../../api/changeCustomer.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { ReasonField, reasonLabel } from '../../../forms/ReasonField.tsx';
import { useConfirmation } from '../../../forms/useConfirmation.ts';
import { useVersionedForm } from '../../../forms/useVersionedForm.ts';
import { wholeNumber } from '../../../lib/numbers.ts';
import { AccountStatusOptions } from '../../../ui/accountStatus.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { CallQuotaFields, callQuotaLabels, typedCallQuota, withCallQuota } from '../../callQuotas/index.ts';
import { limitIn, typedLimit } from '../../customers/index.ts';
import { FloatingSeatsField, floatingIn, floatingSeatsTexts, typedFloating } from '../../floatingSeats/index.ts';
import { IdleReleaseField, idleReleaseIn, idleReleaseTexts, typedIdleRelease } from '../../idleRelease/index.ts';
import { ConfirmCustomerChange, consequenceOf, SeatEffects } from '../../impact/index.ts';
import { ownCustomerQuery } from '../api/integratorCustomers.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';

const { fields } = texts;

const valuesOf = ({ customer }: { customer: Customer }) => ({
  name: customer.name,
  contactEmail: customer.contactEmail,
  company: customer.company ?? '',
  status: customer.status,
  reason: '',
  developerSeats: String(customer.developerSeats),
  stakeholderSeats: String(customer.stakeholderSeats),
  seatLimitsEnforced: customer.seatLimitsEnforced,
  machineLimit: typedLimit(customer),
  ...typedCallQuota(customer.callQuota),
  ...typedIdleRelease(customer),
  ...typedFloating(customer),
});

type EditOwnCustomerModalProps = { dialog: DialogState; customer: Customer; etag: string | null };

/** The form of the customer's screen: details, status and seats. A toast shows a rejection. */
export const EditOwnCustomerModal = ({ dialog, customer, etag }: EditOwnCustomerModalProps) => {
  const confirmation = useConfirmation<UpdateCustomer>();
  const { control, modal } = useVersionedForm({
    dialog,
    schema: updateCustomer,
    seen: { customer, etag },
    query: ownCustomerQuery(customer.id),
    valuesOf,
    toBody: (typed) => ({
      ...withCallQuota(typed),
      developerSeats: wholeNumber(typed.developerSeats),
      stakeholderSeats: wholeNumber(typed.stakeholderSeats),
      machineLimit: limitIn(typed.machineLimit),
      idleReleaseDays: idleReleaseIn(typed),
      floatingDeveloperMinutes: floatingIn(typed),
    }),
    update: useUpdateCustomer('integrator', customer.id, texts.updateFailed),
    labels: {
      ...fields,
      ...callQuotaLabels,
      reason: reasonLabel,
      idleReleaseDays: idleReleaseTexts.field,
      floatingDeveloperMinutes: floatingSeatsTexts.field,
    },
    texts,
    refusals: 'toast',
    confirm: async (body) => consequenceOf(customer, body) === null || confirmation.ask(body),
  });
  return (
    <FormModal {...modal} title={texts.editTitle} submitLabel={texts.save} busyLabel={texts.saving}>
      <TextField control={control} name="name" label={fields.name} isRequired />
      <TextField control={control} name="contactEmail" type="email" label={fields.contactEmail} isRequired />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <TextField control={control} name="company" label={fields.company} />
        <SelectField control={control} name="status" label={fields.status} isRequired>
          <AccountStatusOptions />
        </SelectField>
        <TextField
          control={control}
          name="developerSeats"
          inputMode="numeric"
          label={fields.developerSeats}
          hint={texts.seatsHint}
          isRequired
        />
        <TextField
          control={control}
          name="stakeholderSeats"
          inputMode="numeric"
          label={fields.stakeholderSeats}
          hint={texts.seatsHint}
          isRequired
        />
        <Box gridColumn="1 / -1" _empty={{ display: 'none' }}>
          <SeatEffects control={control} manager="integrator" customer={customer} />
        </Box>
        <TextField
          control={control}
          name="machineLimit"
          inputMode="numeric"
          label={fields.machineLimit}
          hint={texts.machineLimitHint}
        />
        <CallQuotaFields control={control} />
        <FloatingSeatsField control={control} manager="integrator" customer={customer} />
        <IdleReleaseField control={control} manager="integrator" customer={customer} />
      </SimpleGrid>
      <ReasonField control={control} saved={customer.status} />
      <CheckboxField control={control} name="seatLimitsEnforced" label={fields.seatLimitsEnforced} hint={texts.seatLimitsHint} />
      <ConfirmCustomerChange confirmation={confirmation} customer={customer} manager="integrator" />
    </FormModal>
  );
};
