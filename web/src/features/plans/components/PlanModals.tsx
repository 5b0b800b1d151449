import { SimpleGrid } from '@chakra-ui/react';
import { createPlan, type Plan } from '../../../../../src/contracts/plans.ts';
import { DEFAULT_DEVELOPER_SEATS, DEFAULT_STAKEHOLDER_SEATS, OFFLINE_LICENSE_DAYS } from '../../../../../src/domain/limits.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, TextField } from '../../../forms/fields.tsx';
import { useModalForm } from '../../../forms/useModalForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { CallQuotaFields, callQuotaLabels, typedCallQuota, withCallQuota } from '../../callQuotas/index.ts';
import { EntitlementsField, entitlementsOf, rowsOf } from '../../entitlements/index.ts';
import { floatingIn, floatingSeatsTexts, typedFloating } from '../../floatingSeats/index.ts';
import { useChangePlan, useCreatePlan } from '../api/plans.ts';
import { planDialogTexts as texts } from '../dialogTexts.ts';
import { planTexts } from '../texts.ts';

const { fields } = texts;

const NEW = {
  code: '',
  name: '',
  developerSeats: String(DEFAULT_DEVELOPER_SEATS),
  stakeholderSeats: String(DEFAULT_STAKEHOLDER_SEATS),
  seatLimitsEnforced: true,
  termMonths: '12',
  termDays: '',
  graceDays: '0',
  offlineDays: String(OFFLINE_LICENSE_DAYS),
  isTrial: false,
  ...typedFloating({}),
  ...typedCallQuota(null),
  entitlements: rowsOf(null),
};
type Values = typeof NEW;

/** An empty text is no number, which the contract names as missing. */
const numberIn = (typed: string): number | undefined => (typed.trim() === '' ? undefined : Number(typed));

const toBody = ({
  developerSeats,
  stakeholderSeats,
  termMonths,
  termDays,
  graceDays,
  offlineDays,
  entitlements,
  ...values
}: Values) => ({
  ...withCallQuota(values),
  developerSeats: numberIn(developerSeats),
  stakeholderSeats: numberIn(stakeholderSeats),
  termMonths: numberIn(termMonths) ?? null,
  termDays: numberIn(termDays) ?? null,
  graceDays: numberIn(graceDays) ?? 0,
  offlineDays: numberIn(offlineDays),
  floatingDeveloperMinutes: floatingIn(values),
  entitlements: entitlementsOf(entitlements),
});

const valuesOf = (plan: Plan): Values => ({
  code: plan.code,
  name: plan.name,
  developerSeats: String(plan.developerSeats),
  stakeholderSeats: String(plan.stakeholderSeats),
  seatLimitsEnforced: plan.seatLimitsEnforced,
  termMonths: plan.termMonths === null ? '' : String(plan.termMonths),
  termDays: plan.termDays === null ? '' : String(plan.termDays),
  graceDays: String(plan.graceDays),
  offlineDays: String(plan.offlineDays),
  isTrial: plan.isTrial,
  ...typedFloating(plan),
  ...typedCallQuota(plan.callQuota),
  entitlements: rowsOf(plan.entitlements),
});

type FormProps = {
  dialog: DialogState;
  /** The plan to change; absent for a new one. */
  plan?: Plan;
  change: Pick<ReturnType<typeof useCreatePlan>, 'mutate' | 'isPending'>;
  texts: Readonly<{ title: string; submit: string; busy: string; done: string; failed: string }>;
};

const PlanForm = ({ dialog, plan, change, texts: { title, submit, busy, done, failed } }: FormProps) => {
  const { control, modal } = useModalForm({
    dialog,
    schema: createPlan,
    defaults: plan ? valuesOf(plan) : NEW,
    toBody,
    labels: { ...fields, ...callQuotaLabels, floatingDeveloperMinutes: floatingSeatsTexts.field },
    change,
    done,
    failed,
  });
  return (
    <FormModal {...modal} title={title} description={texts.description} submitLabel={submit} busyLabel={busy}>
      {!plan && (
        <TextField
          control={control}
          name="code"
          label={fields.code}
          hint={texts.codeHint}
          placeholder="PRO"
          transform={(typed) => typed.toUpperCase()}
          isRequired
        />
      )}
      <TextField control={control} name="name" label={fields.name} placeholder="Professional" isRequired />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
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
      </SimpleGrid>
      <CheckboxField control={control} name="seatLimitsEnforced" label={fields.seatLimitsEnforced} />
      <TextField
        control={control}
        name="floatingDeveloperMinutes"
        inputMode="numeric"
        label={floatingSeatsTexts.field}
        hint={floatingSeatsTexts.hint}
      />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <TextField control={control} name="termMonths" inputMode="numeric" label={fields.termMonths} hint={texts.monthsHint} />
        <TextField control={control} name="termDays" inputMode="numeric" label={fields.termDays} hint={texts.daysHint} />
        <TextField control={control} name="graceDays" inputMode="numeric" label={fields.graceDays} hint={texts.graceHint} />
      </SimpleGrid>
      <CheckboxField control={control} name="isTrial" label={fields.isTrial} />
      <TextField
        control={control}
        name="offlineDays"
        inputMode="numeric"
        label={fields.offlineDays}
        hint={texts.offlineHint}
        isRequired
      />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <CallQuotaFields control={control} />
      </SimpleGrid>
      <EntitlementsField control={control} />
    </FormModal>
  );
};

/** Creates a plan. */
export const CreatePlanModal = ({ dialog }: { dialog: DialogState }) => {
  const create = useCreatePlan();
  const { createTitle: title, creating: busy, created: done } = texts;
  return (
    <PlanForm
      dialog={dialog}
      change={create}
      texts={{ title, submit: planTexts.create, busy, done, failed: planTexts.createFailed }}
    />
  );
};

/** Changes a plan. Its code stays. */
export const EditPlanModal = ({ dialog, plan }: { dialog: DialogState; plan: Plan }) => {
  const change = useChangePlan();
  const { save: submit, saving: busy, saved: done } = texts;
  return (
    <PlanForm
      dialog={dialog}
      plan={plan}
      change={change}
      texts={{ title: texts.editTitle(plan.code), submit, busy, done, failed: planTexts.saveFailed }}
    />
  );
};
