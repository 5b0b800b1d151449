import { useQueryClient } from '@tanstack/react-query';
import { type CustomTheme, updateTheme } from '../../../../../src/contracts/themes.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField } from '../../../forms/fields.tsx';
import { useContractForm } from '../../../forms/useContractForm.ts';
import { changedMeanwhile, isConflict, useVersion } from '../../../forms/useVersion.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useIntegratorSession } from '../../auth/api/session.ts';
import { customThemeQuery, useUpdateTheme } from '../api/customThemes.ts';
import { customThemeTexts as texts } from '../texts.ts';
import { LookFields } from './LookFields.tsx';
import { updateBodyOf, valuesOf } from './themeForm.ts';

const { fields } = texts;

type EditThemeModalProps = { dialog: DialogState; theme: CustomTheme; etag: string | null };

export const EditThemeModal = ({ dialog, theme, etag }: EditThemeModalProps) => {
  const queries = useQueryClient();
  const { id: owner } = useIntegratorSession();
  const update = useUpdateTheme(owner, theme.id);
  const defaults = valuesOf(theme);
  const { control, handleSubmit, refuse, takeOver, banner } = useContractForm({
    schema: updateTheme,
    defaults,
    toBody: updateBodyOf,
    labels: fields,
  });
  const save = useVersion(
    { etag, shown: defaults },
    {
      fetchNewest: async () => {
        const newest = await queries.fetchQuery({ ...customThemeQuery(owner, theme.id), staleTime: 0 });
        return { etag: newest.etag, shown: valuesOf(newest.theme) };
      },
      takeOver,
    },
  );
  const submit = handleSubmit(async (body) => {
    try {
      await save((version) => update.mutateAsync({ body, etag: version }));
      notify.success(texts.updated);
      dialog.close();
    } catch (error) {
      if (isConflict(error)) refuse(null, changedMeanwhile('This theme'));
      else refuse(error, texts.updateFailed);
    }
  });
  return (
    <FormModal
      dialog={dialog}
      title={texts.editTitle}
      description={<code className="mono">{theme.themeName}</code>}
      size="lg"
      submitLabel={texts.save}
      busyLabel={texts.saving}
      isBusy={update.isPending}
      banner={banner}
      onSubmit={submit}
    >
      <LookFields control={control} />
      {!theme.isDefault && <CheckboxField control={control} name="isDefault" label={fields.isDefault} />}
      <CheckboxField control={control} name="isActive" label={fields.isActive} hint={texts.isActiveHint} />
    </FormModal>
  );
};
