import { Flex } from '@chakra-ui/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CustomTheme } from '../../../../../src/contracts/themes.ts';
import { messageOf } from '../../../api/error.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { useIntegratorSession } from '../../../session/session.ts';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ItemAction } from '../../../ui/ItemAction.tsx';
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
      <ItemAction
        label={texts.edit}
        name={texts.actionsOf(texts.edit, theme.displayName)}
        icon={Pencil}
        onPress={open}
        opens={EditThemeModal}
        isBusy={editable.isPending}
      />
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
    <ItemAction
      label={texts.setDefault}
      name={texts.actionsOf(texts.setDefault, theme.displayName)}
      icon={Check}
      onPress={press}
      isBusy={setDefault.isPending}
      busyLabel={texts.settingDefault}
    />
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
        <ItemAction
          label={texts.delete}
          name={texts.actionsOf(texts.delete, theme.displayName)}
          icon={Trash2}
          onPress={remove.open}
          opens={DeleteThemeDialog}
          isDestructive
        />
        <DeleteThemeDialog dialog={remove} theme={theme} isOnly={isOnly} />
      </Flex>
    </Allowed>
  );
};
