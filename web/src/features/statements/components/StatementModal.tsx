import { useMutation } from '@tanstack/react-query';
import { z } from 'zod';
import { statementMonth } from '../../../../../src/contracts/statements.ts';
import { api } from '../../../api/client.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { SelectField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { download } from '../../../lib/download.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { statementTexts as texts } from '../texts.ts';

const MONTHS = 13;
const TYPES = { json: 'application/json', csv: 'text/csv', html: 'text/html' } as const;

const chosen = z.object({ month: statementMonth, format: z.enum(['json', 'csv', 'html']) });

/** This month and those before it, as 2026-01, in UTC. */
const lastMonths = (now: Date): string[] =>
  Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index, 1)).toISOString().slice(0, '2026-01'.length),
  );

type StatementModalProps = {
  dialog: DialogState;
  /** The path of the statements of a customer, or of a service integrator. */
  path: string;
  description?: string;
};

/** Downloads the statement of usage of a month. */
export const StatementModal = ({ dialog, path, description = texts.description }: StatementModalProps) => {
  const months = lastMonths(new Date());
  const create = useMutation({
    mutationFn: ({ month, format }: z.infer<typeof chosen>) =>
      api.getFile(path, { query: { month }, accept: TYPES[format], fallback: texts.failed }),
  });
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: chosen,
    defaults: { month: months[1] ?? '', format: 'json' },
    toBody: (typed) => typed,
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    create.mutate(body, {
      onSuccess: ({ file, name }) => {
        download(file, name ?? texts.fileName(body.month));
        dialog.close();
      },
      onError: (error) => refuse(error, texts.failed),
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.title}
      description={description}
      submitLabel={texts.submit}
      busyLabel={texts.submitting}
      isBusy={create.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <SelectField control={control} name="month" label={texts.fields.month} isRequired>
        {months.map((month, index) => (
          <option key={month} value={month}>
            {texts.monthName(month, index === 0)}
          </option>
        ))}
      </SelectField>
      <SelectField control={control} name="format" label={texts.fields.format} hint={texts.formatHint} isRequired>
        {Object.entries(texts.formats).map(([format, label]) => (
          <option key={format} value={format}>
            {label}
          </option>
        ))}
      </SelectField>
    </FormModal>
  );
};
