import { useMemo } from 'react';
import type { InstanceUsage } from '../../../../../src/contracts/usage.ts';
import { OTHER_INSTANCES } from '../../../../../src/domain/limits.ts';
import { format } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badges.tsx';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { Time } from '../../../ui/Time.tsx';
import { usageTexts } from '../texts.ts';

const { columns: headers, services } = usageTexts;

const errorsOf = ({ errors, apiCalls }: InstanceUsage): string =>
  apiCalls > 0 ? `${format.whole(errors)} (${format.percent(errors / apiCalls, 2)})` : format.whole(errors);

type Choose = (instanceUrl: string) => void;

/** Calls to further instances are counted together, under a name that is no address. */
const Instance = ({ instanceUrl, onChoose }: { instanceUrl: string; onChoose: Choose | undefined }) =>
  onChoose && instanceUrl !== OTHER_INSTANCES ? (
    <button
      type="button"
      className="text-link clip"
      title={instanceUrl}
      aria-label={usageTexts.only(instanceUrl)}
      onClick={() => onChoose(instanceUrl)}
    >
      {instanceUrl}
    </button>
  ) : (
    <div className="clip" title={instanceUrl}>
      {instanceUrl}
    </div>
  );

const columnsWith = (onChoose: Choose | undefined): readonly Column<InstanceUsage>[] => [
  { header: headers.instance, cell: ({ instanceUrl }) => <Instance instanceUrl={instanceUrl} onChoose={onChoose} /> },
  { header: headers.service, cell: (row) => <Badge>{services[row.service]}</Badge> },
  { header: headers.calls, align: 'end', cell: (row) => format.whole(row.apiCalls) },
  { header: headers.errors, align: 'end', cell: errorsOf },
  { header: headers.avgResponseTime, align: 'end', cell: (row) => format.duration(row.avgResponseTime) },
  { header: headers.lastActive, tone: 'muted', cell: (row) => <Time at={row.lastActive} as="ago" /> },
];

const itemWith = (onChoose: Choose | undefined) => (row: InstanceUsage) => (
  <>
    <div className="who">
      <div className="who-texts">
        <span className="who-name">
          <Instance instanceUrl={row.instanceUrl} onChoose={onChoose} />
        </span>
        <span className="who-detail">
          <Time at={row.lastActive} as="ago" />
        </span>
      </div>
      <Badge>{services[row.service]}</Badge>
    </div>
    <div className="item-facts">
      <div>
        <div className="caption">{headers.calls}</div>
        <b>{format.whole(row.apiCalls)}</b>
      </div>
      <div>
        <div className="caption">{headers.errors}</div>
        <b>{errorsOf(row)}</b>
      </div>
      <div className="end">
        <div className="caption">{headers.avgResponseTime}</div>
        <b>{format.duration(row.avgResponseTime)}</b>
      </div>
    </div>
  </>
);

const keyOf = ({ instanceUrl, service }: InstanceUsage): string => `${service} ${instanceUrl}`;

const busiestFirst = (rows: readonly InstanceUsage[]): InstanceUsage[] =>
  [...rows].sort((one, other) => other.apiCalls - one.apiCalls || one.instanceUrl.localeCompare(other.instanceUrl));

/** The third-party instances of a customer's calls, by number of calls. Keep the identity of `onChoose`, which limits the calls to one. */
export const InstancesTable = ({ rows, onChoose }: { rows: readonly InstanceUsage[]; onChoose?: Choose }) => {
  const { columns, item } = useMemo(() => ({ columns: columnsWith(onChoose), item: itemWith(onChoose) }), [onChoose]);
  return <DataTable label={usageTexts.instancesTable} rows={busiestFirst(rows)} keyOf={keyOf} columns={columns} item={item} />;
};
