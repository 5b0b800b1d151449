import { lazyComponent } from '../lib/lazyScreen.tsx';
import { Bookmark, Columns3 } from './icons.ts';
import { Popover } from './Popover.tsx';
import type { TableView } from './tableView.ts';

const texts = { saved: 'Saved filters', view: 'View' } as const;

const SavedFilterList = lazyComponent(
  async () => (await import('./SavedFilterList.tsx')).SavedFilterList,
  () => null,
);

const TableViewPanel = lazyComponent(
  async () => (await import('./TableViewPanel.tsx')).TableViewPanel,
  () => null,
);

/** The filters that the user saved for a list. */
export const SavedFilters = ({ list }: { list: string }) => (
  <Popover label={texts.saved} icon={Bookmark}>
    {(close) => <SavedFilterList list={list} close={close} />}
  </Popover>
);

/** The columns and the density of a table. */
export const TableViewMenu = ({ view }: { view: Omit<TableView<never>, 'columns'> }) => (
  <Popover label={texts.view} icon={Columns3}>
    {() => <TableViewPanel view={view} />}
  </Popover>
);
