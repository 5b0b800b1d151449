import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { format } from '../../../lib/format.ts';
import { Allowed, FigureLink } from '../../../session/permissions.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Time } from '../../../ui/Time.tsx';
import { Who } from '../../../ui/Who.tsx';
import { integratorTexts } from '../texts.ts';

const { columns: headers } = integratorTexts;

/** The path of a service integrator's screen. */
export const integratorPath = ({ id }: ServiceIntegrator): string => `/admin/service-integrators/${id}`;
export const integratorKey = ({ id }: ServiceIntegrator): string => id;
export const integratorName = ({ companyName }: ServiceIntegrator): string => companyName;

const whiteLabel = ({ whiteLabelEnabled }: ServiceIntegrator) => (
  <StatusBadge status={whiteLabelEnabled ? 'enabled' : 'disabled'} />
);

export const integratorColumns: readonly Column<ServiceIntegrator>[] = [
  {
    header: headers.company,
    sort: 'companyName',
    cell: (row) => (
      <div className="clip">
        <Who name={row.companyName} detail={row.contactEmail} to={integratorPath(row)} />
      </div>
    ),
  },
  { header: headers.status, cell: (row) => <StatusBadge status={row.status} /> },
  {
    header: headers.masterLicenseKey,
    cell: (row) => (
      <span className="copied-key">
        <code className="mono">{row.masterLicenseKey}</code>
        <Allowed to="masterKey:read">
          <CopyButton text={row.masterLicenseKey} label={integratorTexts.copyKeyOf(row.companyName)} />
        </Allowed>
      </span>
    ),
  },
  {
    header: headers.customers,
    align: 'end',
    sort: 'customerCount',
    isDescendingFirst: true,
    cell: (row) => (
      <FigureLink
        needs="customers:read"
        to={`/admin/customers?integrator=${row.id}`}
        label={integratorTexts.countedCustomers(format.whole(row.customerCount))}
      >
        {format.whole(row.customerCount)}
      </FigureLink>
    ),
  },
  { header: headers.whiteLabel, isExtra: true, cell: whiteLabel },
  {
    header: headers.created,
    tone: 'muted',
    sort: 'createdAt',
    isDescendingFirst: true,
    cell: (row) => <Time at={row.createdAt} as="date" />,
  },
  { header: headers.contactEmail, isOptional: true, cell: ({ contactEmail }) => contactEmail },
  { header: headers.billingEmail, isOptional: true, cell: ({ billingEmail }) => billingEmail },
];

/** A service integrator as a list item, for narrow screens. */
export const integratorItem = (row: ServiceIntegrator) => (
  <>
    <Who name={row.companyName} detail={row.contactEmail} to={integratorPath(row)} right={<StatusBadge status={row.status} />} />
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
