import { SimpleGrid } from '@chakra-ui/react';
import { type ServiceIntegrator, type UpdateIntegrator, updateIntegrator } from '../../../../../src/contracts/integrators.ts';
import type { AccountStatus } from '../../../../../src/domain/enumerations.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { ReasonField, reasonLabel } from '../../../forms/ReasonField.tsx';
import { useConfirmation } from '../../../forms/useConfirmation.ts';
import { useVersionedForm } from '../../../forms/useVersionedForm.ts';
import { AccountStatusOptions } from '../../../ui/accountStatus.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { ConfirmIntegratorChange, integratorConsequenceOf } from '../../impact/index.ts';
import { integratorTexts } from '../../integrators/index.ts';
import { integratorQuery, useUpdateIntegrator } from '../api/integrator.ts';

const { fields, placeholders } = integratorTexts;

const valuesOf = ({ integrator }: { integrator: ServiceIntegrator }) => ({
  companyName: integrator.companyName,
  contactEmail: integrator.contactEmail,
  billingEmail: integrator.billingEmail,
  status: integrator.status,
  reason: '',
  whiteLabelEnabled: integrator.whiteLabelEnabled,
  customDomain: integrator.customDomain ?? '',
  logoUrl: integrator.logoUrl ?? '',
});

type EditIntegratorModalProps = {
  dialog: DialogState;
  integrator: ServiceIntegrator;
  etag: string | null;
  /** The status that the form has at first; the saved one if absent. */
  status?: AccountStatus | undefined;
};

export const EditIntegratorModal = ({ dialog, integrator, etag, status }: EditIntegratorModalProps) => {
  const confirmation = useConfirmation<UpdateIntegrator>();
  const { control, modal } = useVersionedForm({
    dialog,
    schema: updateIntegrator,
    seen: { integrator, etag },
    query: integratorQuery(integrator.id),
    valuesOf,
    ...(status && { initial: { status } }),
    toBody: (typed) => typed,
    update: useUpdateIntegrator(integrator.id),
    labels: { ...fields, reason: reasonLabel },
    texts: integratorTexts,
    confirm: async (body) => integratorConsequenceOf(integrator, body) === null || confirmation.ask(body),
  });
  return (
    <FormModal {...modal} title={integratorTexts.edit} submitLabel={integratorTexts.save} busyLabel={integratorTexts.saving}>
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <TextField control={control} name="companyName" label={fields.companyName} isRequired />
        <SelectField control={control} name="status" label={fields.status} isRequired>
          <AccountStatusOptions />
        </SelectField>
        <TextField control={control} name="contactEmail" type="email" label={fields.contactEmail} isRequired />
        <TextField control={control} name="billingEmail" type="email" label={fields.billingEmail} isRequired />
      </SimpleGrid>
      <ReasonField control={control} saved={integrator.status} />
      <CheckboxField control={control} name="whiteLabelEnabled" label={fields.whiteLabelEnabled} />
      <TextField control={control} name="customDomain" label={fields.customDomain} placeholder={placeholders.customDomain} />
      <TextField control={control} name="logoUrl" type="url" label={fields.logoUrl} placeholder={placeholders.logoUrl} />
      <ConfirmIntegratorChange confirmation={confirmation} integrator={integrator} />
    </FormModal>
  );
};
