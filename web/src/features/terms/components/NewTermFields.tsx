import { SimpleGrid } from '@chakra-ui/react';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { CheckboxField, TextField } from '../../../forms/fields.tsx';
import { termCardTexts as texts } from '../cardTexts.ts';
import { endOfDay } from './endOfDay.ts';

/** Values of the form for a new customer: a day, or empty for a perpetual license. The server's issues name the field `term`. */
export const newTerm = { term: '', graceDays: '', isTrial: false };
type NewTerm = typeof newTerm;

/** The labels of the fields of a new term by the names in the request, for validation errors. */
export const termFieldLabels = { term: texts.facts.expires, graceDays: texts.graceDays, isTrial: texts.facts.trial } as const;

/** The body of the request with the term that was entered. Days of grace and a trial without an expiry are refused by the contract. */
export const withTerm = <Values extends NewTerm>({ term, graceDays: typed, isTrial, ...body }: Values) => {
  const graceDays = typed.trim() === '' ? undefined : Number(typed);
  const hasTerm = term !== '' || graceDays !== undefined || isTrial;
  return { ...body, ...(hasTerm && { term: { expiresAt: term === '' ? undefined : endOfDay(term), graceDays, isTrial } }) };
};

/** How long the license of a new customer runs. */
export const NewTermFields = <Values extends FieldValues & NewTerm, Output>({
  control,
  hint = texts.expiresHint,
}: {
  control: Control<Values, unknown, Output>;
  /** What an empty field means. */
  hint?: string | undefined;
}) => (
  <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
    <TextField control={control} name={'term' as FieldPath<Values>} type="date" label={termFieldLabels.term} hint={hint} />
    <TextField
      control={control}
      name={'graceDays' as FieldPath<Values>}
      inputMode="numeric"
      label={termFieldLabels.graceDays}
      hint={texts.graceHint}
    />
    <CheckboxField control={control} name={'isTrial' as FieldPath<Values>} label={termFieldLabels.isTrial} />
  </SimpleGrid>
);
