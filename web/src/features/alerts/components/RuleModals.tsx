import { useWatch } from 'react-hook-form';
import { type AlertRule, type AlertRuleBody, alertRuleBody } from '../../../../../src/contracts/alerts.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { useModalForm } from '../../../forms/useModalForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { useChangeRule, useCreateRule } from '../api/alerts.ts';
import { alertTexts as texts } from '../texts.ts';

type Values = { name: string; metric: AlertRuleBody['metric']; threshold: string; forSeconds: string };

const NEW: Values = { name: '', metric: 'error_rate', threshold: '10', forSeconds: '300' };

const toBody = ({ threshold, forSeconds, ...values }: Values) => ({
  ...values,
  threshold: threshold.trim() === '' ? undefined : Number(threshold),
  forSeconds: Number(forSeconds),
});

type FormProps = {
  dialog: DialogState;
  defaults: Values;
  texts: Readonly<{ title: string; submit: string; busy: string; done: string; failed: string }>;
  change: ReturnType<typeof useCreateRule>;
};

const RuleForm = ({ dialog, defaults, texts: { title, submit, busy, done, failed }, change }: FormProps) => {
  const { control, modal } = useModalForm({
    dialog,
    schema: alertRuleBody,
    defaults,
    toBody,
    labels: texts.fields,
    change,
    done,
    failed,
  });
  const metric = useWatch({ control, name: 'metric' });
  const times = {
    ...(defaults.forSeconds in texts.times ? {} : { [defaults.forSeconds]: texts.otherTime(Number(defaults.forSeconds)) }),
    ...texts.times,
  };
  return (
    <FormModal {...modal} title={title} description={texts.description} submitLabel={submit} busyLabel={busy}>
      <TextField control={control} name="name" label={texts.fields.name} isRequired />
      <SelectField control={control} name="metric" label={texts.fields.metric} isRequired>
        {Object.entries(texts.metrics).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField
        control={control}
        name="threshold"
        label={texts.fields.threshold}
        hint={texts.units[metric]}
        inputMode="decimal"
        isRequired
      />
      <SelectField control={control} name="forSeconds" label={texts.fields.forSeconds} isRequired>
        {Object.entries(times).map(([seconds, label]) => (
          <option key={seconds} value={seconds}>
            {label}
          </option>
        ))}
      </SelectField>
    </FormModal>
  );
};

/** Creates an alert rule. */
export const CreateRuleModal = ({ dialog }: { dialog: DialogState }) => {
  const { create: submit, createTitle: title, creating: busy, created: done, createFailed: failed } = texts;
  return <RuleForm dialog={dialog} defaults={NEW} texts={{ title, submit, busy, done, failed }} change={useCreateRule()} />;
};

/** Changes an alert rule. */
export const EditRuleModal = ({ dialog, rule }: { dialog: DialogState; rule: AlertRule }) => {
  const { save: submit, editTitle: title, saving: busy, saved: done, saveFailed: failed } = texts;
  const { name, metric, threshold, forSeconds } = rule;
  const defaults = { name, metric, threshold: String(threshold), forSeconds: String(forSeconds) };
  return (
    <RuleForm
      dialog={dialog}
      defaults={defaults}
      texts={{ title, submit, busy, done, failed }}
      change={useChangeRule(rule.ruleId)}
    />
  );
};
