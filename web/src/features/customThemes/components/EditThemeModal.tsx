import { type CustomTheme, updateTheme } from '../../../../../src/contracts/themes.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField } from '../../../forms/fields.tsx';
import { useVersionedForm } from '../../../forms/useVersionedForm.ts';
import { useIntegratorSession } from '../../../session/session.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { LastChange } from '../../history/index.ts';
import { customThemeQuery, useUpdateTheme } from '../api/customThemes.ts';
import { customThemeTexts as texts } from '../texts.ts';
import { LookFields } from './LookFields.tsx';
import { updateBodyOf, valuesOf } from './themeForm.ts';

const { fields } = texts;

type EditThemeModalProps = { dialog: DialogState; theme: CustomTheme; etag: string | null };

export const EditThemeModal = ({ dialog, theme, etag }: EditThemeModalProps) => {
  const { id: owner } = useIntegratorSession();
  const { control, modal } = useVersionedForm({
    dialog,
    schema: updateTheme,
    seen: { theme, etag },
    query: customThemeQuery(owner, theme.id),
    valuesOf: (seen) => valuesOf(seen.theme),
    toBody: updateBodyOf,
    update: useUpdateTheme(owner, theme.id),
    labels: fields,
    texts,
  });
  return (
    <FormModal
      {...modal}
      title={texts.editTitle}
      description={<code className="mono">{theme.themeName}</code>}
      size="lg"
      submitLabel={texts.save}
      busyLabel={texts.saving}
    >
      <LastChange source={{ kind: 'integrator', id: owner, path: '/api/service-integrator' }} about={theme.id} />
      <LookFields control={control} />
      {!theme.isDefault && <CheckboxField control={control} name="isDefault" label={fields.isDefault} />}
      <CheckboxField control={control} name="isActive" label={fields.isActive} hint={texts.isActiveHint} />
    </FormModal>
  );
};
