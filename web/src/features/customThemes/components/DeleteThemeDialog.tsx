import { Box, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ThemeImpact } from '../../../../../src/contracts/impact.ts';
import type { CustomTheme } from '../../../../../src/contracts/themes.ts';
import { messageOf } from '../../../api/error.ts';
import { useIntegratorSession } from '../../../session/session.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { Effects, themeImpactQuery } from '../../impact/index.ts';
import { useDeleteTheme } from '../api/customThemes.ts';
import { customThemeTexts as texts } from '../texts.ts';

type DeleteThemeDialogProps = {
  dialog: DialogState;
  theme: CustomTheme;
  /** The only theme may be deleted though it is the default. */
  isOnly: boolean;
};

const effectsOf = ({ refusal, customers, fallbackTheme }: ThemeImpact) => {
  if (refusal !== null) return [{ text: refusal }];
  return customers.count > 0 ? [{ text: texts.deleteInUse(customers.count, fallbackTheme), named: customers }] : [];
};

export const DeleteThemeDialog = ({ dialog, theme, isOnly }: DeleteThemeDialogProps) => {
  const { id } = useIntegratorSession();
  const remove = useDeleteTheme(id, theme.id);
  const impact = useQuery({ ...themeImpactQuery(id, theme.id), enabled: remove.isIdle || remove.isError });
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
      {!isBlocked && (
        <Box mt="4" _empty={{ display: 'none' }}>
          <Effects query={impact} effectsOf={effectsOf} />
        </Box>
      )}
    </ConfirmDialog>
  );
};
