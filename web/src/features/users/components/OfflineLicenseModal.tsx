import { issueOfflineLicense } from '../../../../../src/contracts/offlineLicenses.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { download } from '../../../lib/download.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useIssueOfflineLicense } from '../api/machines.ts';
import { offlineTexts as texts } from '../offlineTexts.ts';

const toBody = ({ fingerprint, machineName }: { fingerprint: string; machineName: string }) => ({
  fingerprint,
  ...(machineName.trim() !== '' && { machineName }),
});

/** Issues an offline license for a machine without a connection, and downloads its file. `root` is the path of the calls on machines. */
export const OfflineLicenseModal = ({ dialog, root, username }: { dialog: DialogState; root: string; username?: string }) => {
  const issue = useIssueOfflineLicense(root);
  const { control, handleSubmit, refuse, banner } = useContractForm({
    schema: issueOfflineLicense,
    defaults: { fingerprint: '', machineName: '' },
    toBody,
    labels: texts.fields,
  });
  const submit = handleSubmit((body) =>
    issue.mutate(body, {
      onSuccess: ({ license, keys, fingerprint, expiresAt }) => {
        const content = JSON.stringify({ license, keys }, null, 2);
        download(new Blob([`${content}\n`], { type: 'application/json' }), texts.fileName(fingerprint));
        notify.success(texts.issued(expiresAt));
        dialog.close();
      },
      onError: (error) => refuse(error, texts.failed),
    }),
  );
  return (
    <FormModal
      dialog={dialog}
      title={username === undefined ? texts.title : texts.titleOf(username)}
      description={texts.description}
      submitLabel={texts.submit}
      busyLabel={texts.submitting}
      isBusy={issue.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <TextField control={control} name="fingerprint" label={texts.fields.fingerprint} hint={texts.fingerprintHint} isRequired />
      <TextField control={control} name="machineName" label={texts.fields.machineName} hint={texts.machineNameHint} />
    </FormModal>
  );
};
