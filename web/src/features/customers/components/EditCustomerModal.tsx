import { Box, SimpleGrid } from '@chakra-ui/react';
import { type Customer, type UpdateCustomer, updateCustomer } from '../../../../../src/contracts/customers.ts';
import { useUpdateCustomer } from '../../../api/changeCustomer.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { ReasonField, reasonLabel } from '../../../forms/ReasonField.tsx';
import { useConfirmation } from '../../../forms/useConfirmation.ts';
import { useVersionedForm } from '../../../forms/useVersionedForm.ts';
import { AccountStatusOptions } from '../../../ui/accountStatus.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { CallQuotaFields, callQuotaLabels, typedCallQuota, withCallQuota } from '../../callQuotas/index.ts';
import { FloatingSeatsField, floatingIn, floatingSeatsTexts, typedFloating } from '../../floatingSeats/index.ts';
import { IdleReleaseField, idleReleaseIn, idleReleaseTexts, typedIdleRelease } from '../../idleRelease/index.ts';
import { ConfirmCustomerChange, consequenceOf, SeatEffects } from '../../impact/index.ts';
import { customerQuery } from '../api/customers.ts';
import { customerDialogTexts } from '../dialogTexts.ts';
import { limitIn, typedLimit } from '../machineLimit.ts';
import { customerTexts } from '../texts.ts';
import { bodyOf, valuesOf } from './customerForm.ts';
import { ThemeOptions } from './ThemeOptions.tsx';

const { fields } = customerDialogTexts;

const formValuesOf = ({ customer }: { customer: Customer }) => ({
  ...valuesOf(customer),
  status: customer.status,
  reason: '',
  machineLimit: typedLimit(customer),
  ...typedCallQuota(customer.callQuota),
  ...typedIdleRelease(customer),
  ...typedFloating(customer),
});

type EditCustomerModalProps = { dialog: DialogState; customer: Customer; etag: string | null };

export const EditCustomerModal = ({ dialog, customer, etag }: EditCustomerModalProps) => {
  const confirmation = useConfirmation<UpdateCustomer>();
  const { control, modal } = useVersionedForm({
    dialog,
    schema: updateCustomer,
    seen: { customer, etag },
    query: customerQuery(customer.id),
    valuesOf: formValuesOf,
    toBody: (typed) => ({
      ...withCallQuota(bodyOf(typed)),
      machineLimit: limitIn(typed.machineLimit),
      idleReleaseDays: idleReleaseIn(typed),
      floatingDeveloperMinutes: floatingIn(typed),
    }),
    update: useUpdateCustomer('admin', customer.id, customerTexts.updateFailed),
    labels: {
      ...fields,
      ...callQuotaLabels,
      reason: reasonLabel,
      idleReleaseDays: idleReleaseTexts.field,
      floatingDeveloperMinutes: floatingSeatsTexts.field,
    },
    texts: { ...customerDialogTexts, updateFailed: customerTexts.updateFailed },
    confirm: async (body) => consequenceOf(customer, body) === null || confirmation.ask(body),
  });
  const own = customer.theme ? { value: customer.theme, label: customer.themeDisplayName ?? customer.theme } : undefined;
  return (
    <FormModal {...modal} title={customerTexts.edit} submitLabel={customerDialogTexts.save} busyLabel={customerDialogTexts.saving}>
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
          hint={customerDialogTexts.seatsHint}
          isRequired
        />
        <TextField
          control={control}
          name="stakeholderSeats"
          inputMode="numeric"
          label={fields.stakeholderSeats}
          hint={customerDialogTexts.seatsHint}
          isRequired
        />
        <Box gridColumn="1 / -1" _empty={{ display: 'none' }}>
          <SeatEffects control={control} manager="admin" customer={customer} />
        </Box>
        <TextField
          control={control}
          name="machineLimit"
          inputMode="numeric"
          label={fields.machineLimit}
          hint={customerDialogTexts.machineLimitHint}
        />
        <CallQuotaFields control={control} />
        <FloatingSeatsField control={control} manager="admin" customer={customer} />
        <IdleReleaseField control={control} manager="admin" customer={customer} />
      </SimpleGrid>
      <ReasonField control={control} saved={customer.status} />
      <SelectField control={control} name="theme" label={fields.theme}>
        <ThemeOptions own={own} integratorId={customer.serviceIntegratorId} />
      </SelectField>
      <CheckboxField
        control={control}
        name="seatLimitsEnforced"
        label={fields.seatLimitsEnforced}
        hint={customerDialogTexts.seatLimitsHint}
      />
      <ConfirmCustomerChange confirmation={confirmation} customer={customer} manager="admin" />
    </FormModal>
  );
};
