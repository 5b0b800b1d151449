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
  /** The contract that the server validates too. */
  schema: ZodType<Body>;
  /** The data that the dialog was opened on, and the query that fetches the newest. */
  seen: Data;
  query: FetchQueryOptions<Data, Error, Data, Key>;
  valuesOf: (data: Data) => Values & DefaultValues<Values>;
  /** Values that fields have at first instead of the saved ones. */
  initial?: Partial<Values>;
  /** Makes the body of the request from the values of the fields. */
  toBody: (values: Values) => unknown;
  update: { mutateAsync: (change: { body: Body; etag: string | null }) => Promise<unknown>; isPending: boolean };
  labels: Readonly<Record<string, string>>;
  /** `subject` as 'this customer'. */
  texts: { subject: string; updated: string; updateFailed: string };
  /** Where a rejection that belongs to no field is shown. */
  refusals?: 'banner' | 'toast';
  /** Asks before the change is saved; resolves to whether to save it. */
  confirm?: (body: Body) => Promise<boolean>;
};

/**
 * The form of a dialog that changes a resource which other users may change at the same time. It never overwrites a change
 * that the user has not seen. A success shows a toast and closes the dialog. `modal` holds the properties of its `FormModal`.
 */
export const useVersionedForm = <Values extends FieldValues, Body, Data extends Versioned, Key extends QueryKey>({
  dialog,
  schema,
  seen,
  query,
  valuesOf,
  initial,
  toBody,
  update,
  labels,
  texts,
  refusals = 'banner',
  confirm,
}: Options<Values, Body, Data, Key>) => {
  const queries = useQueryClient();
  const shown = valuesOf(seen);
  const form = useContractForm<Values, Body>({ schema, defaults: { ...shown, ...initial }, toBody, labels });
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
