import { QueryClientProvider } from '@tanstack/react-query';
import { queryClientOf } from '../../../api/queryClients.ts';
import { areaOf } from '../../../areas.ts';
import { useDialog } from '../../../ui/dialogs.tsx';
import { ReauthenticationModal } from './ReauthenticationModal.tsx';

/** Asks once. `settle` gets whether the user confirmed; only its first call counts. */
export const Ask = ({ settle }: { settle: (isConfirmed: boolean) => void }) => {
  const dialog = useDialog(true);
  const end = (isConfirmed: boolean): void => {
    settle(isConfirmed);
    dialog.close();
  };
  return (
    <QueryClientProvider client={queryClientOf(areaOf(location.pathname) ?? 'portal')}>
      {dialog.isMounted && <ReauthenticationModal dialog={{ ...dialog, close: () => end(false) }} onConfirmed={() => end(true)} />}
    </QueryClientProvider>
  );
};
