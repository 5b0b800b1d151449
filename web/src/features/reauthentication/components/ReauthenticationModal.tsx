import { Button, Dialog } from '@chakra-ui/react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReauthenticationReply, reauthenticate } from '../../../../../src/contracts/sessions.ts';
import { isApiError } from '../../../api/error.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { PasswordField } from '../../../forms/PasswordField.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { confirmSession, proofsQuery } from '../api/reauthentication.ts';
import { reauthenticationTexts as texts } from '../texts.ts';
import { OtherProofs } from './OtherProofs.tsx';

type ModalProps = { dialog: DialogState; onConfirmed: () => void };
type Typed = { key: string; password: string; code: string };

const bodyOf = (method: FormMethod, { key, password, code }: Typed, codeRequired: boolean): unknown => {
  if (method === 'key') return { method, key };
  return { method, password, ...(codeRequired && { code }) };
};

/** The field that a rejection belongs to. */
const fieldOf = (error: unknown): keyof Typed | null => {
  if (!isApiError(error)) return null;
  if (error.code === 'wrong_own_password') return 'password';
  if (error.code === 'wrong_code' || error.code === 'code_required') return 'code';
  return error.status === 401 ? 'key' : null;
};

type Methods = ReauthenticationReply['methods'];
const FORMS = ['key', 'portal_password', 'password'] as const;
type FormMethod = (typeof FORMS)[number];
type FormProps = ModalProps & Pick<ReauthenticationReply, 'codeRequired' | 'methods'> & { method: FormMethod };

const hasOthers = (methods: Methods): boolean => methods.includes('passkey') || methods.includes('openid');

const ConfirmForm = ({ dialog, onConfirmed, method, methods, codeRequired }: FormProps) => {
  const confirm = useMutation({ mutationFn: confirmSession });
  const { control, handleSubmit, setError, refuse, banner } = useContractForm({
    schema: reauthenticate,
    defaults: { key: '', password: '', code: '' },
    toBody: (typed: Typed) => bodyOf(method, typed, codeRequired),
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    confirm.mutate(body, {
      onSuccess: onConfirmed,
      onError: (error) => {
        const field = fieldOf(error);
        if (field) setError(field, { message: error.message }, { shouldFocus: true });
        else refuse(error, texts.failed);
      },
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={texts.title}
      description={texts.description}
      size="sm"
      submitLabel={texts.confirm}
      busyLabel={texts.confirming}
      isBusy={confirm.isPending}
      banner={banner}
      onSubmit={submit}
    >
      {method === 'key' ? (
        <PasswordField control={control} name="key" label={texts.fields.key} autoComplete="current-password" />
      ) : (
        <PasswordField control={control} name="password" label={texts.fields.password} autoComplete="current-password" />
      )}
      {codeRequired && (
        <TextField
          control={control}
          name="code"
          label={texts.fields.code}
          hint={texts.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          isRequired
        />
      )}
      {hasOthers(methods) && <OtherProofs methods={methods} onConfirmed={onConfirmed} />}
    </FormModal>
  );
};

/** Asks the user for what signs in, and calls `onConfirmed` when it was right. */
export const ReauthenticationModal = ({ dialog, onConfirmed }: ModalProps) => {
  const { data, error, refetch } = useQuery(proofsQuery());
  const method = FORMS.find((form) => data?.methods.includes(form));
  if (data && method) return <ConfirmForm dialog={dialog} onConfirmed={onConfirmed} method={method} {...data} />;
  return (
    <Modal
      dialog={dialog}
      title={texts.title}
      size="sm"
      {...(data && hasOthers(data.methods) && { description: texts.description })}
    >
      <Dialog.Body>
        {data ? (
          hasOthers(data.methods) ? (
            <OtherProofs methods={data.methods} onConfirmed={onConfirmed} />
          ) : (
            texts.signInAgain
          )
        ) : error ? (
          <ErrorState error={error} fallback={texts.loadFailed} onRetry={() => void refetch()} />
        ) : (
          <Loading label={texts.loading} />
        )}
      </Dialog.Body>
      <Dialog.Footer>
        <Button variant="outline" onClick={dialog.close}>
          {texts.close}
        </Button>
      </Dialog.Footer>
    </Modal>
  );
};
