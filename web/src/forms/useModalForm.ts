import type { DefaultValues, FieldValues } from 'react-hook-form';
import type { ZodType } from 'zod';
import type { Change } from '../api/useChange.ts';
import type { DialogState } from '../ui/dialogs.tsx';
import { notify } from '../ui/notify.ts';
import { useContractForm } from './useContractForm.ts';

type Options<Values extends FieldValues, Body, Reply> = {
  dialog: DialogState;
  /** The contract that the server validates too. */
  schema: ZodType<Body>;
  defaults: DefaultValues<Values>;
  /** Makes the body of the request from the values of the fields. */
  toBody: (values: Values) => unknown;
  /** Names of the fields, for 'Name is required'. */
  labels: Readonly<Record<string, string>>;
  change: Pick<Change<Body, Reply>, 'mutate' | 'isPending'>;
  /** The text of the toast. */
  done: string | ((reply: Reply) => string);
  /** The text of a failure without one. */
  failed: string;
};

/**
 * The form of a dialog that makes one change. A success shows a toast and closes the dialog, a rejection is shown in it. `modal` holds
 * the properties of its `FormModal`.
 */
export const useModalForm = <Values extends FieldValues, Body, Reply>({
  dialog,
  change,
  done,
  failed,
  ...form
}: Options<Values, Body, Reply>) => {
  const { control, handleSubmit, refuse, banner } = useContractForm<Values, Body>(form);
  const onSubmit = handleSubmit((body) =>
    change.mutate(body, {
      onSuccess: (reply) => {
        notify.success(typeof done === 'string' ? done : done(reply));
        dialog.close();
      },
      onError: (error) => refuse(error, failed),
    }),
  );
  return { control, modal: { dialog, isBusy: change.isPending, banner, onSubmit } };
};
