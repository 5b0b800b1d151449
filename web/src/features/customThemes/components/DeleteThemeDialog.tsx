import { Text } from '@chakra-ui/react';
import type { CustomTheme } from '../../../../../src/contracts/themes.ts';
import { messageOf } from '../../../api/error.ts';
import { useIntegratorSession } from '../../../session/session.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { useDeleteTheme } from '../api/customThemes.ts';
import { customThemeTexts as texts } from '../texts.ts';

type DeleteThemeDialogProps = {
  dialog: DialogState;
  theme: CustomTheme;
  /** The only theme may be deleted though it is the default. */
  isOnly: boolean;
};

export const DeleteThemeDialog = ({ dialog, theme, isOnly }: DeleteThemeDialogProps) => {
  const remove = useDeleteTheme(useIntegratorSession().id, theme.id);
  const isBlocked = theme.isDefault && !isOnly;
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notify.success(texts.deleted);
        dialog.close();
      },
    });
  return (
    <ConfirmDialog
      dialog={dialog}
      title={texts.deleteTitle}
      confirmLabel={texts.delete}
      busyLabel={texts.deleting}
      isBusy={remove.isPending}
      isDisabled={isBlocked}
      error={remove.error ? messageOf(remove.error, texts.deleteFailed) : undefined}
      onConfirm={confirm}
    >
      <Text>{texts.deleteQuestion(theme.displayName)}</Text>
      {isBlocked && (
        <Text mt="2" color="fg.warning" fontWeight="medium">
          {texts.deleteDefault}
        </Text>
      )}
      {!isBlocked && theme.customerCount > 0 && <Text mt="2">{texts.deleteInUse(theme.customerCount, theme.fallbackTheme)}</Text>}
    </ConfirmDialog>
  );
};
