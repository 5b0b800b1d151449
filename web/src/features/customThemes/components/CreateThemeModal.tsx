import { createTheme } from '../../../../../src/contracts/themes.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { CheckboxField, TextField } from '../../../forms/fields.tsx';
import { useModalForm } from '../../../forms/useModalForm.ts';
import { useIntegratorSession } from '../../../session/session.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { useCreateTheme } from '../api/customThemes.ts';
import { customThemeTexts as texts } from '../texts.ts';
import { LookFields } from './LookFields.tsx';
import { createBodyOf, newTheme } from './themeForm.ts';

const { fields, placeholders } = texts;

export const CreateThemeModal = ({ dialog }: { dialog: DialogState }) => {
  const create = useCreateTheme(useIntegratorSession().id);
  const { control, modal } = useModalForm({
    dialog,
    schema: createTheme,
    defaults: newTheme,
    toBody: createBodyOf,
    labels: fields,
    change: create,
    done: texts.created,
    failed: texts.createFailed,
  });
  return (
    <FormModal {...modal} title={texts.createTitle} size="lg" submitLabel={texts.create} busyLabel={texts.creating}>
      <TextField
        control={control}
        name="themeName"
        label={fields.themeName}
        placeholder={placeholders.themeName}
        hint={texts.themeNameHint}
        transform={(typed) => typed.toLowerCase()}
        isRequired
      />
      <LookFields control={control} />
      <CheckboxField control={control} name="isDefault" label={fields.isDefault} />
    </FormModal>
  );
};
