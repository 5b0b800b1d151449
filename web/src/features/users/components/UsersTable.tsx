import { useCallback, useState } from 'react';
import type { User, UsersReply } from '../../../../../src/contracts/users.ts';
import type { Area } from '../../../areas.ts';
import { Card } from '../../../ui/Card.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { useDialog } from '../../../ui/dialogs.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import type { Selection } from '../../../ui/selection.ts';
import type { TableView } from '../../../ui/tableView.ts';
import { userTexts } from '../texts.ts';
import { UserDrawer } from './UserDrawer.tsx';
import { customerLink, userItem, userKey } from './userRows.tsx';

type UsersTableProps = {
  area: Area;
  reply: UsersReply;
  view: TableView<User>;
  selection: Selection<User>;
  sort: string;
  onSort: (sort: string) => void;
};

/** Users as a table; a click on a row shows the user beside it. */
export const UsersTable = ({ area, reply, view, selection, sort, onSort }: UsersTableProps) => {
  const drawer = useDialog();
  const [chosen, setChosen] = useState<User>();
  const { open } = drawer;
  const show = useCallback(
    (user: User) => {
      setChosen(user);
      open();
    },
    [open],
  );
  const shown = reply.users.find(({ id }) => id === chosen?.id) ?? chosen;
  return (
    <Card>
      <DataTable
        label={userTexts.list}
        rows={reply.users}
        keyOf={userKey}
        columns={view.columns}
        isCompact={view.isCompact}
        item={userItem}
        onOpen={show}
        sorting={{ current: sort, onChange: onSort }}
        selection={selection}
      />
      <Pagination page={reply} shown={reply.users.length} noun={userTexts.noun} />
      {shown && <UserDrawer dialog={drawer} user={shown} customerLink={customerLink[area]} />}
    </Card>
  );
};
