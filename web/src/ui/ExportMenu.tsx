import { type ReactNode, useState } from 'react';
import { lazyComponent } from '../lib/lazyScreen.tsx';
import type { ExportedList } from './ExportItem.tsx';
import type { ExportPanelProps } from './ExportPanel.tsx';
import { Download } from './icons.ts';
import { Popover } from './Popover.tsx';

const texts = {
  title: (what: string | undefined): string => (what === undefined ? 'Export' : `Export ${what}`),
  exporting: 'Exporting…',
} as const;

const ExportPanel = lazyComponent<ExportPanelProps>(
  async () => (await import('./ExportPanel.tsx')).ExportPanel,
  () => null,
);

type ExportMenuProps = {
  lists: readonly ExportedList[];
  /** What is exported, in the plural, where a screen has several menus. */
  what?: string;
  /** More choices. `close` closes the menu. */
  more?: (close: () => void) => ReactNode;
};

/** Downloads all entries of a list that match the filters, or prints the screen with all of them. */
export const ExportMenu = ({ lists, what, more }: ExportMenuProps) => {
  const [isBusy, setBusy] = useState(false);
  return (
    <Popover label={isBusy ? texts.exporting : texts.title(what)} icon={Download}>
      {(close) => <ExportPanel lists={lists} more={more?.(close)} isBusy={isBusy} setBusy={setBusy} close={close} />}
    </Popover>
  );
};
