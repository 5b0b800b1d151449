import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import type { SetCallQuota } from '../../../../../src/contracts/callQuotas.ts';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import { wholeNumber } from '../../../lib/numbers.ts';
import { callQuotaFieldTexts as texts } from '../fieldTexts.ts';

type Typed = { callQuota: string; callQuotaKind: SetCallQuota['kind'] };

/** The labels of the fields of a quota by the names in the request, for validation errors. */
export const callQuotaLabels = texts.fields;

/** A quota as it is typed: an empty number where there is none. */
export const typedCallQuota = (quota: Pick<SetCallQuota, 'limit' | 'kind'> | null | undefined): Typed => ({
  callQuota: quota ? String(quota.limit) : '',
  callQuotaKind: quota?.kind ?? 'hard',
});

/** The body of the request with the quota that was typed, with or without separators; null without one. */
export const withCallQuota = <Values extends Typed>({ callQuota, callQuotaKind: kind, ...body }: Values) => {
  const digits = callQuota.replaceAll(/[\s.,_']/g, '');
  return { ...body, callQuota: digits === '' ? null : { limit: wholeNumber(digits), kind } };
};

type CallQuotaFieldsProps<Values extends FieldValues, Output> = { control: Control<Values, unknown, Output> };

/** The monthly quota of API calls, and what happens beyond it. */
export const CallQuotaFields = <Values extends FieldValues & Typed, Output>({ control }: CallQuotaFieldsProps<Values, Output>) => (
  <>
    <TextField
      control={control}
      name={'callQuota' as FieldPath<Values>}
      inputMode="numeric"
      label={texts.fields.callQuota}
      hint={texts.hint}
    />
    <SelectField control={control} name={'callQuotaKind' as FieldPath<Values>} label={texts.fields.callQuotaKind}>
      <option value="hard">{texts.kinds.hard}</option>
      <option value="soft">{texts.kinds.soft}</option>
    </SelectField>
  </>
);
