import { Button } from '@chakra-ui/react';
import type { Permission } from '../../../../../src/domain/permissions.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
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
      <Button variant="outline" size="sm" aria-haspopup="dialog" onClick={dialog.open} onPointerEnter={ImportModal.preload}>
        <Upload aria-hidden />
        {texts.open}
      </Button>
      <ImportModal dialog={dialog} kind={kind} path={path} />
    </Allowed>
  );
};
