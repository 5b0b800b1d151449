import { Box } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { CallVoid } from '../../../../../src/contracts/voids.ts';
import { format } from '../../../lib/format.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { Time } from '../../../ui/Time.tsx';
import { type VoidsOf, voidsQuery } from '../api/voids.ts';
import { voidTexts as texts } from '../voidTexts.ts';

const { columns: headers } = texts;

const rangeOf = ({ firstSequence, lastSequence, from, until }: CallVoid): string => {
  const hasNumbers = firstSequence !== null || lastSequence !== null;
  const numbers = texts.numbers(
    firstSequence === null ? texts.first : format.whole(firstSequence),
    lastSequence === null ? texts.last : format.whole(lastSequence),
  );
  return [
    ...(hasNumbers ? [numbers] : from === null && until === null ? [texts.all] : []),
    ...(from === null ? [] : [texts.madeFrom(format.exact(from))]),
    ...(until === null ? [] : [texts.madeBefore(format.exact(until))]),
  ].join(', ');
};

const columns: readonly Column<CallVoid>[] = [
  { header: headers.at, cell: ({ at }) => <Time at={at} /> },
  { header: headers.by, cell: ({ by }) => by },
  { header: headers.source, cell: ({ sourceId }) => <code className="mono">{sourceId}</code> },
  { header: headers.range, tone: 'muted', isExtra: true, cell: rangeOf },
  { header: headers.count, align: 'end', cell: ({ calls }) => format.whole(calls) },
  { header: headers.reason, cell: ({ reason }) => reason ?? '' },
];

const item = (row: CallVoid) => (
  <>
    <div className="item-facts">
      <div>
        <Time at={row.at} /> · {row.by}
        <div>
          <code className="mono">{row.sourceId}</code>
        </div>
      </div>
      <b>{format.whole(row.calls)}</b>
    </div>
    <div className="caption">{[rangeOf(row), row.reason].filter(Boolean).join(' · ')}</div>
  </>
);

const voidKey = ({ voidId }: CallVoid): string => voidId;

/** The voids of a customer; nothing where there are none. */
export const VoidsCard = ({ of }: { of: VoidsOf }) => {
  const { data } = useQuery({ ...voidsQuery(of), enabled: usePermission('calls:read') });
  if (!data || data.voids.length === 0) return null;
  return (
    <Box mt="5">
      <Card as="section" aria-label={texts.list}>
        <CardHead title={texts.list} sub={texts.listSub} right={<ExportMenu what={texts.exported} lists={[{ path: of.path }]} />} />
        <DataTable label={texts.table} rows={data.voids} keyOf={voidKey} columns={columns} item={item} />
      </Card>
    </Box>
  );
};
