import { escapedHtml } from '../contracts/html.ts';
import type { IntegratorStatement, StatedCustomer } from '../contracts/statements.ts';
import { SERVICES } from '../domain/enumerations.ts';
import { rowOf, STATEMENT_STYLE, shownLimit } from './statementPage.ts';

/** Wider than long, and with the names of the columns on each page. */
const STYLE = `${STATEMENT_STYLE}
body { max-width: 74rem; font-size: 12px }
th:nth-child(2), td:nth-child(2) { text-align: left }
thead { display: table-header-group }
@page { size: landscape }`;

/** The seats of a kind take four columns. */
const SEATS = ['Limit', 'Peak', 'Average', 'Hours above'];

const callsTo = ({ calls }: StatedCustomer, service: string): number =>
  calls.services.find(({ key }) => key === service)?.calls ?? 0;

/** The beginning of the page, up to the rows of customers. */
export const integratorStatementHead = ({
  month,
  from,
  to,
  isWholeMonth,
  createdAt,
  integrator,
}: Omit<IntegratorStatement, 'customers' | 'calls'>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapedHtml(`Usage statement ${month}: ${integrator.name}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Usage statement ${escapedHtml(month)}</h1>
<p>All customers of ${escapedHtml(integrator.name)}<br>
From ${escapedHtml(from)} to ${escapedHtml(to)}${isWholeMonth ? '' : ' (the month is not over)'}<br>
Created at ${escapedHtml(createdAt)}.</p>
<table>
<thead>
<tr><th rowspan="2">Customer</th><th rowspan="2">Tier</th><th colspan="4">Developer seats</th><th colspan="4">Stakeholder seats</th><th colspan="${SERVICES.length + 3}">API calls</th></tr>
${rowOf('th', [...SEATS, ...SEATS, ...SERVICES, 'Not included', 'All', 'Errors'])}
</thead>
<tbody>
`;

/** The row of a customer. */
export const integratorStatementRow = (customer: StatedCustomer): string => {
  const { name, tier, seats, calls } = customer;
  const seatsOf = ({ limit, peak, average, hoursAboveLimit }: StatedCustomer['seats']['developer']) => [
    shownLimit(limit),
    ...[peak, average, hoursAboveLimit],
  ];
  const notIncluded = (calls.notIncluded ?? []).reduce((sum, part) => sum + part.calls, 0);
  return `${rowOf('td', [
    name,
    tier,
    ...seatsOf(seats.developer),
    ...seatsOf(seats.stakeholder),
    ...SERVICES.map((service) => callsTo(customer, service)),
    ...[notIncluded, calls.total, calls.errors],
  ])}\n`;
};

/** The end of the page with the sums, as what is before the verification code, and what is after it. */
export const integratorStatementEnd = (customers: number, calls: IntegratorStatement['calls']): [before: string, after: string] => [
  `</tbody>
</table>
<h2>Total</h2>
<table>
<thead>${rowOf('th', ['Customers', 'API calls', 'Errors'])}</thead>
<tbody>${rowOf('td', [customers, calls.total, calls.errors])}</tbody>
</table>
<h2>Verification code</h2>
<p class="code">`,
  `</p>
</body>
</html>
`,
];
