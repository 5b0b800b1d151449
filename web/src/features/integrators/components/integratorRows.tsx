import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { format } from '../../../lib/format.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Time } from '../../../ui/Time.tsx';
import { Who } from '../../../ui/Who.tsx';
import { integratorTexts } from '../texts.ts';

const { columns: headers } = integratorTexts;

const integratorPath = (id: string): string => `/admin/service-integrators/${id}`;
export const integratorKey = ({ id }: ServiceIntegrator): string => id;

const whiteLabel = ({ whiteLabelEnabled }: ServiceIntegrator) => (
  <StatusBadge status={whiteLabelEnabled ? 'enabled' : 'disabled'} />
);

export const integratorColumns: readonly Column<ServiceIntegrator>[] = [
  {
    header: headers.company,
    sort: 'companyName',
    cell: ({ id, companyName, contactEmail }) => (
      <div className="clip">
        <Who name={companyName} detail={contactEmail} to={integratorPath(id)} />
      </div>
    ),
  },
  { header: headers.status, cell: (row) => <StatusBadge status={row.status} /> },
  { header: headers.masterLicenseKey, cell: (row) => <code className="mono">{row.masterLicenseKey}</code> },
  { header: headers.customers, align: 'end', cell: (row) => format.whole(row.customerCount) },
  { header: headers.whiteLabel, isExtra: true, cell: whiteLabel },
  { header: headers.created, tone: 'muted', sort: 'createdAt', cell: (row) => <Time at={row.createdAt} as="date" /> },
];

/** A service integrator as a list item, for narrow screens. */
export const integratorItem = (row: ServiceIntegrator) => (
  <>
    <Who name={row.companyName} detail={row.contactEmail} to={integratorPath(row.id)} right={<StatusBadge status={row.status} />} />
    <div className="item-facts">
      <div>
        <div className="caption">{headers.masterLicenseKey}</div>
        <code className="mono">{row.masterLicenseKey}</code>
      </div>
      <div className="end">
        <div className="caption">{headers.customers}</div>
        <b>{format.whole(row.customerCount)}</b>
      </div>
    </div>
  </>
);
