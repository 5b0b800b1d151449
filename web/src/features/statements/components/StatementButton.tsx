import { OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Download } from '../../../ui/icons.ts';
import { statementTexts as texts } from '../texts.ts';
import { StatementModal } from './LazyStatementModal.ts';

/** Downloads the monthly statement of all customers of a service integrator, whose statements have the path. */
export const StatementButton = ({ path, size = 'md' }: { path: string; size?: 'sm' | 'md' }) => {
  const dialog = useDialog();
  return (
    <>
      <OpenDialogButton dialog={dialog} preload={StatementModal.preload} size={size}>
        <Download aria-hidden />
        {texts.open}
      </OpenDialogButton>
      <StatementModal dialog={dialog} path={path} description={texts.ofCustomers} />
    </>
  );
};
