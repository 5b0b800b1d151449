import { SimpleGrid } from '@chakra-ui/react';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { TextAreaField, TextField } from '../../../forms/fields.tsx';
import type { newRecords } from '../recordsForm.ts';
import { recordsTexts as texts } from '../texts.ts';

/** Labels of the fields, for the messages of the server. */
export const recordsLabels = texts.fields;

/** What a company keeps about a new customer. */
export const NewRecordsFields = <Values extends FieldValues & typeof newRecords, Output>({
  control,
}: {
  control: Control<Values, unknown, Output>;
}) => (
  <>
    <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
      <TextField
        control={control}
        name={'externalId' as FieldPath<Values>}
        label={recordsLabels.externalId}
        hint={texts.hints.externalId}
      />
      <TextField control={control} name={'tags' as FieldPath<Values>} label={recordsLabels.tags} hint={texts.hints.tags} />
    </SimpleGrid>
    <TextAreaField control={control} name={'notes' as FieldPath<Values>} label={recordsLabels.notes} hint={texts.hint} />
  </>
);
