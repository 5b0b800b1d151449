import { createIntegrator } from '../../../../../src/contracts/integrators.ts';
import type { IntegratorId } from '../../../../../src/domain/ids.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useOpenAction } from '../../../ui/useOpenAction.ts';
import { useCreateIntegrator } from '../api/integrators.ts';
import { integratorTexts } from '../texts.ts';
import { integratorPath } from './integratorRows.tsx';

const { fields, placeholders } = integratorTexts;

type CreateIntegratorModalProps = {
  dialog: DialogState;
  description?: string;
  /** Called instead of closing the dialog, which then shows another form. */
  onCreated?: (id: IntegratorId) => void;
};

/** The form of a new service integrator. It closes after the creation unless `onCreated` is given. */
export const CreateIntegratorModal = ({ dialog, description, onCreated }: CreateIntegratorModalProps) => {
  const openAction = useOpenAction();
  const create = useCreateIntegrator();
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: createIntegrator,
    defaults: { companyName: '', contactEmail: '', billingEmail: '' },
    toBody: (typed) => typed,
    labels: fields,
  });
  const submit = handleSubmit((body) =>
    create.mutate(body, {
      onSuccess: ({ service_integrator }) => {
        notify.success(integratorTexts.created, openAction(integratorPath(service_integrator)));
        if (onCreated) onCreated(service_integrator.id);
        else dialog.close();
      },
      onError: (error) => refuse(error, integratorTexts.createFailed),
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={integratorTexts.create}
      description={description ?? integratorTexts.createDescription}
      submitLabel={integratorTexts.create}
      busyLabel={integratorTexts.creating}
      isBusy={create.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <TextField
        control={control}
        name="companyName"
        label={fields.companyName}
        placeholder={placeholders.companyName}
        isRequired
      />
      <TextField
        control={control}
        name="contactEmail"
        type="email"
        label={fields.contactEmail}
        placeholder={placeholders.contactEmail}
        isRequired
      />
      <TextField
        control={control}
        name="billingEmail"
        type="email"
        label={fields.billingEmail}
        placeholder={placeholders.billingEmail}
        isRequired
      />
    </FormModal>
  );
};
