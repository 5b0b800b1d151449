import type { Permission } from '../../../../../src/domain/permissions.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Upload } from '../../../ui/icons.ts';
import type { ImportPath } from '../api/importFile.ts';
import { importTexts as texts } from '../texts.ts';

const ImportModal = lazyDialog(async () => (await import('./ImportModal.tsx')).ImportModal);

const needed = { customers: 'customers:write', users: 'users:write' } as const satisfies Record<string, Permission>;

type ImportButtonProps = { kind: 'customers' | 'users'; path: ImportPath };

/** Opens the import of a file with customers or users. */
export const ImportButton = ({ kind, path }: ImportButtonProps) => {
  const dialog = useDialog();
  return (
    <Allowed to={needed[kind]}>
      <OpenDialogButton dialog={dialog} preload={ImportModal.preload} size="sm">
        <Upload aria-hidden />
        {texts.open}
      </OpenDialogButton>
      <ImportModal dialog={dialog} kind={kind} path={path} />
    </Allowed>
  );
};
