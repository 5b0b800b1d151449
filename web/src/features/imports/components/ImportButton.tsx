import { useEffect } from 'react';
import type { Permission } from '../../../../../src/domain/permissions.ts';
import { useAddress } from '../../../lib/listAddress.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Upload } from '../../../ui/icons.ts';
import type { ImportPath } from '../api/importFile.ts';
import { importTexts as texts } from '../texts.ts';

const ImportModal = lazyDialog(async () => (await import('./ImportModal.tsx')).ImportModal);

const needed = { customers: 'customers:write', users: 'users:write' } as const satisfies Record<string, Permission>;

type ImportButtonProps = { kind: 'customers' | 'users'; path: ImportPath };

const Import = ({ kind, path }: ImportButtonProps) => {
  const dialog = useDialog();
  const { address, change } = useAddress();
  const isAsked = address.has('import');
  const { open } = dialog;
  // Removed from the address, so that a reload does not open the import again.
  useEffect(() => {
    if (!isAsked) return;
    open();
    change({ import: '' });
  }, [isAsked, open, change]);
  return (
    <>
      <OpenDialogButton dialog={dialog} preload={ImportModal.preload} size="sm">
        <Upload aria-hidden />
        {texts.open}
      </OpenDialogButton>
      <ImportModal dialog={dialog} kind={kind} path={path} />
    </>
  );
};

/** Opens the import of a file with customers or users, also where the address asks for it. */
export const ImportButton = (props: ImportButtonProps) => (
  <Allowed to={needed[props.kind]}>
    <Import {...props} />
  </Allowed>
);
