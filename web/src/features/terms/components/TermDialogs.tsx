import type { CustomerReply } from '../../../../../src/contracts/customers.ts';
import { extension, renewal, setTerm } from '../../../../../src/contracts/terms.ts';
import type { ManagedCustomer } from '../../../api/changeCustomer.ts';
import { messageOf } from '../../../api/error.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, SelectField, TextField } from '../../../forms/fields.tsx';
import { useModalForm } from '../../../forms/useModalForm.ts';
import { format } from '../../../lib/format.ts';
import { wholeNumber } from '../../../lib/numbers.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { Banner } from '../../../ui/states.tsx';
import { useExtendLicense, useRemoveTerm, useRenewLicense, useSetTerm } from '../api/terms.ts';
import { renewalMonths, termDialogTexts as texts } from '../dialogTexts.ts';
import { endOfDay } from './endOfDay.ts';

type TermDialogProps = { dialog: DialogState; owner: ManagedCustomer };

const { fields } = texts;
const DAY_LENGTH = '2026-01-31'.length;
const YEAR = '12';
const EXTENSION = '14';

const expiryIn = ({ customer }: CustomerReply): string => format.utcDate(customer.term?.expiresAt ?? null);

/** Sets the term of a license, or changes it. */
export const SetTermModal = ({ dialog, owner }: TermDialogProps) => {
  const { term } = owner.customer;
  const change = useSetTerm(owner);
  const { control, modal } = useModalForm({
    dialog,
    schema: setTerm,
    defaults: {
      expiresAt: term?.expiresAt.slice(0, DAY_LENGTH) ?? '',
      graceDays: String(term?.graceDays ?? 0),
      isTrial: term?.isTrial ?? false,
    },
    toBody: ({ expiresAt, graceDays, isTrial }) => ({
      expiresAt: expiresAt === '' ? undefined : endOfDay(expiresAt),
      graceDays: wholeNumber(graceDays),
      isTrial,
    }),
    labels: fields,
    change,
    done: texts.saved,
    failed: texts.setFailed,
  });
  return (
    <FormModal {...modal} title={texts.setTitle} size="sm" submitLabel={texts.save} busyLabel={texts.saving}>
      <TextField control={control} name="expiresAt" type="date" label={fields.expiresAt} hint={texts.expiresHint} isRequired />
      <TextField
        control={control}
        name="graceDays"
        inputMode="numeric"
        label={fields.graceDays}
        hint={texts.graceHint}
        isRequired
      />
      <CheckboxField control={control} name="isTrial" label={fields.isTrial} hint={texts.trialHint} />
    </FormModal>
  );
};

/** Gives a license another period. */
export const RenewModal = ({ dialog, owner }: TermDialogProps) => {
  const { term } = owner.customer;
  const change = useRenewLicense(owner);
  const { control, modal } = useModalForm({
    dialog,
    schema: renewal,
    defaults: { months: YEAR },
    toBody: ({ months }) => ({ months: wholeNumber(months) }),
    labels: fields,
    change,
    done: (reply) => texts.renewed(expiryIn(reply)),
    failed: texts.renewFailed,
  });
  return (
    <FormModal
      {...modal}
      title={texts.renewTitle}
      description={term?.state === 'expired' ? texts.restarts : texts.continues(format.utcDate(term?.expiresAt ?? null))}
      size="sm"
      submitLabel={texts.renew}
      busyLabel={texts.renewing}
    >
      <SelectField control={control} name="months" label={fields.months} isRequired>
        {Object.entries(renewalMonths).map(([months, label]) => (
          <option key={months} value={months}>
            {label}
          </option>
        ))}
      </SelectField>
      {term?.isTrial && <Banner tone="info">{texts.endsTrial}</Banner>}
    </FormModal>
  );
};

/** Moves the expiry of a license by days. */
export const ExtendModal = ({ dialog, owner }: TermDialogProps) => {
  const { term } = owner.customer;
  const change = useExtendLicense(owner);
  const { control, modal } = useModalForm({
    dialog,
    schema: extension,
    defaults: { days: EXTENSION },
    toBody: ({ days }) => ({ days: wholeNumber(days) }),
    labels: fields,
    change,
    done: (reply) => texts.extended(expiryIn(reply)),
    failed: texts.extendFailed,
  });
  return (
    <FormModal
      {...modal}
      title={texts.extendTitle}
      description={texts.extendDescription(format.utcDate(term?.expiresAt ?? null))}
      size="sm"
      submitLabel={texts.extend}
      busyLabel={texts.extending}
    >
      <TextField control={control} name="days" inputMode="numeric" label={fields.days} isRequired />
    </FormModal>
  );
};

/** Asks before a license becomes perpetual. */
export const RemoveTermDialog = ({ dialog, owner }: TermDialogProps) => {
  const change = useRemoveTerm(owner);
  const confirm = () =>
    change.mutate(undefined, {
      onSuccess: () => {
        notify.success(texts.removed);
        dialog.close();
      },
    });
  return (
    <ConfirmDialog
      dialog={dialog}
      title={texts.removeTitle}
      confirmLabel={texts.remove}
      busyLabel={texts.removing}
      isBusy={change.isPending}
      error={change.error ? messageOf(change.error, texts.removeFailed) : undefined}
      onConfirm={confirm}
    >
      {texts.removeQuestion(owner.customer.name)}
    </ConfirmDialog>
  );
};
