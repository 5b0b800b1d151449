import { type FetchQueryOptions, type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import type { ZodType } from 'zod';
import { causeOf } from '../api/error.ts';
import type { DialogState } from '../ui/dialogs.tsx';
import { notify } from '../ui/notify.ts';
import { useContractForm } from './useContractForm.ts';
import { isConflict, useVersion } from './useVersion.ts';

type Versioned = { etag: string | null };

type Options<Values extends FieldValues, Body, Data extends Versioned, Key extends QueryKey> = {
  dialog: DialogState;
  /** The contract that the server checks too. */
  schema: ZodType<Body>;
  /** What the dialog was opened on, and the query that fetches the newest of it. */
  seen: Data;
  query: FetchQueryOptions<Data, Error, Data, Key>;
  valuesOf: (data: Data) => Values & DefaultValues<Values>;
  /** What is typed, as the body of the request. */
  toBody: (values: Values) => unknown;
  update: { mutateAsync: (change: { body: Body; etag: string | null }) => Promise<unknown>; isPending: boolean };
  labels: Readonly<Record<string, string>>;
  /** `subject` as 'this customer'. */
  texts: { subject: string; updated: string; updateFailed: string };
  /** Where a refusal that is of no field is said. */
  refusals?: 'banner' | 'toast';
  /** Asked before it is saved; what it resolves to says whether it is. */
  confirm?: (body: Body) => Promise<boolean>;
};

/**
 * The form of a dialog that changes something which others may change as well. What was changed elsewhere meanwhile is never
 * overwritten unseen; a success is told and closes the dialog. `modal` is for its `FormModal`.
 */
export const useVersionedForm = <Values extends FieldValues, Body, Data extends Versioned, Key extends QueryKey>({
  dialog,
  schema,
  seen,
  query,
  valuesOf,
  toBody,
  update,
  labels,
  texts,
  refusals = 'banner',
  confirm,
}: Options<Values, Body, Data, Key>) => {
  const queries = useQueryClient();
  const shown = valuesOf(seen);
  const form = useContractForm<Values, Body>({ schema, defaults: shown, toBody, labels });
  const save = useVersion<Values>(
    { etag: seen.etag, shown },
    {
      fetchNewest: async () => {
        const newest = await queries.fetchQuery({ ...query, staleTime: 0 });
        return { etag: newest.etag, shown: valuesOf(newest) };
      },
      takeOver: form.takeOver,
    },
  );

  const refuse = (error: unknown): void => {
    if (refusals === 'banner') {
      if (isConflict(error)) form.refuseConflict(texts.subject);
      else form.refuse(error, texts.updateFailed);
      return;
    }
    form.refuseFields(error);
    notify.error(isConflict(error) ? form.conflictOf(texts.subject) : causeOf(error, texts.updateFailed));
  };

  const onSubmit = form.handleSubmit(async (body) => {
    if (confirm && !(await confirm(body))) return;
    try {
      await save((etag) => update.mutateAsync({ body, etag }));
      notify.success(texts.updated);
      dialog.close();
    } catch (error) {
      refuse(error);
    }
  });

  return { control: form.control, modal: { dialog, isBusy: update.isPending, banner: form.banner, onSubmit } };
};
