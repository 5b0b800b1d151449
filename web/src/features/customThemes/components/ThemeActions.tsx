import { Button, Flex } from '@chakra-ui/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CustomTheme } from '../../../../../src/contracts/themes.ts';
import { messageOf } from '../../../api/error.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { useIntegratorSession } from '../../../session/session.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { Check, Pencil, Trash2 } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { customThemeQuery, useSetDefaultTheme } from '../api/customThemes.ts';
import { customThemeTexts as texts } from '../texts.ts';

const EditThemeModal = lazyDialog(async () => (await import('./EditThemeModal.tsx')).EditThemeModal);
const DeleteThemeDialog = lazyDialog(async () => (await import('./DeleteThemeDialog.tsx')).DeleteThemeDialog);

type ThemeProps = { theme: CustomTheme };

const EditButton = ({ theme }: ThemeProps) => {
  const queries = useQueryClient();
  const { id: owner } = useIntegratorSession();
  const edit = useDialog();
  // Fetched first: the list does not know which version of the catalogue it shows.
  const editable = useMutation({
    mutationFn: () => queries.fetchQuery({ ...customThemeQuery(owner, theme.id), staleTime: 0 }),
  });
  const open = () =>
    editable.mutate(undefined, {
      onSuccess: edit.open,
      onError: (error) => notify.error(messageOf(error, texts.loadFailed)),
    });
  return (
    <>
      <BusyButton
        size="xs"
        variant="outline"
        aria-haspopup="dialog"
        aria-label={texts.actionsOf(texts.edit, theme.displayName)}
        onClick={open}
        isBusy={editable.isPending}
        onPointerEnter={EditThemeModal.preload}
        onFocus={EditThemeModal.preload}
      >
        <Pencil aria-hidden />
        {texts.edit}
      </BusyButton>
      {editable.data && <EditThemeModal dialog={edit} {...editable.data} />}
    </>
  );
};

const SetDefaultButton = ({ theme }: ThemeProps) => {
  const setDefault = useSetDefaultTheme(useIntegratorSession().id, theme.id);
  const press = () =>
    setDefault.mutate(undefined, {
      onSuccess: () => notify.success(texts.isNowDefault(theme.displayName)),
      onError: (error) => notify.error(messageOf(error, texts.setDefaultFailed)),
    });
  return (
    <BusyButton
      size="xs"
      variant="outline"
      aria-label={texts.actionsOf(texts.setDefault, theme.displayName)}
      onClick={press}
      isBusy={setDefault.isPending}
      busyLabel={texts.settingDefault}
    >
      <Check aria-hidden />
      {texts.setDefault}
    </BusyButton>
  );
};

/** What can be done with a theme. */
export const ThemeActions = ({ theme, isOnly }: ThemeProps & { isOnly: boolean }) => {
  const remove = useDialog();
  return (
    <Allowed to="themes:write">
      <Flex gap="2" wrap="wrap">
        <EditButton theme={theme} />
        {!theme.isDefault && <SetDefaultButton theme={theme} />}
        <Button
          size="xs"
          variant="outline"
          color="fg.error"
          aria-haspopup="dialog"
          aria-label={texts.actionsOf(texts.delete, theme.displayName)}
          onClick={remove.open}
          onPointerEnter={DeleteThemeDialog.preload}
          onFocus={DeleteThemeDialog.preload}
        >
          <Trash2 aria-hidden />
          {texts.delete}
        </Button>
        <DeleteThemeDialog dialog={remove} theme={theme} isOnly={isOnly} />
      </Flex>
    </Allowed>
  );
};
