import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { useController, useWatch } from 'react-hook-form';
import { FieldFrame, Textarea } from '../ui/controls.tsx';

/** The label of the reason of a status change, also for messages about the field. */
export const reasonLabel = 'Reason';
const HINT = 'Recorded in the history with the status change.';

type ReasonInputProps = { value: string; onChange: (value: string) => void; error?: string | undefined };

/** An optional reason for a status change, for dialogs without a form. An empty text means no reason. */
const ReasonInput = ({ value, onChange, error }: ReasonInputProps) => (
  <FieldFrame label={reasonLabel} hint={HINT} error={error}>
    <Textarea name="reason" rows={2} value={value} onChange={(event) => onChange(event.target.value)} />
  </FieldFrame>
);

type ReasonFieldProps<Values extends FieldValues, Output> = {
  /** The control of a form with the fields `status` and `reason`. */
  control: Control<Values, unknown, Output>;
  /** The saved status: the field is shown only while the form has another one. */
  saved: string;
};

/** The form field for the reason of a status change. */
export const ReasonField = <Values extends FieldValues & { status: string; reason: string }, Output>({
  control,
  saved,
}: ReasonFieldProps<Values, Output>) => {
  const status = useWatch({ control, name: 'status' as FieldPath<Values> });
  const { field, fieldState } = useController({ control, name: 'reason' as FieldPath<Values> });
  if (status === saved) return null;
  return <ReasonInput value={field.value ?? ''} onChange={field.onChange} error={fieldState.error?.message} />;
};
