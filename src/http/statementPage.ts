import { escapedHtml } from '../contracts/html.ts';
import type { Statement } from '../contracts/statements.ts';
import { SEAT_KINDS } from '../domain/enumerations.ts';
import { UNLIMITED_SEATS } from '../domain/limits.ts';

const numbers = new Intl.NumberFormat('en-US');
const count = (value: number): string => numbers.format(value);

const cells = (tag: 'th' | 'td', values: readonly (string | number)[]): string =>
  values.map((value) => `<${tag}>${escapedHtml(typeof value === 'number' ? count(value) : value)}</${tag}>`).join('');

/** A row of a table. */
export const rowOf = (tag: 'th' | 'td', values: readonly (string | number)[]): string => `<tr>${cells(tag, values)}</tr>`;

/** A limit of seats as pages show it. */
export const shownLimit = (limit: number): number | string => (limit === UNLIMITED_SEATS ? 'unlimited' : limit);

const table = (title: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]): string => `
<h2>${escapedHtml(title)}</h2>
<table>
<thead>${rowOf('th', head)}</thead>
<tbody>
${rows.map((row) => rowOf('td', row)).join('\n')}
</tbody>
</table>`;

export const STATEMENT_STYLE = `
body { font: 14px/1.5 system-ui, sans-serif; color: #111; background: #fff; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
table { width: 100%; border-collapse: collapse } tr { break-inside: avoid }
th, td { text-align: right; padding: .3rem .5rem; border-bottom: 1px solid #ccc; overflow-wrap: anywhere }
th:first-child, td:first-child { text-align: left }
.code { font: 9px/1.4 ui-monospace, monospace; text-align: left; overflow-wrap: anywhere; break-inside: avoid }
@page { margin: 2cm }`;

/** A statement as an HTML document to print, without scripts and without anything from elsewhere. `code` is a compact JWS. */
export const statementPage = (
  { month, from, to, isWholeMonth, createdAt, customer, seats, calls, voids }: Statement,
  code: string,
): string => {
  const PART = ['Calls', 'Errors'];
  const kinds = SEAT_KINDS.map((kind) => {
    const { limit, peak, average, hoursAboveLimit } = seats[kind];
    return [kind, shownLimit(limit), peak, average, hoursAboveLimit];
  });
  const users = calls.users?.map(({ key, username, ...part }) => [username ?? key ?? 'All others', part.calls, part.errors]);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapedHtml(`Usage statement ${month}: ${customer.name}`)}</title>
<style>${STATEMENT_STYLE}</style>
</head>
<body>
<h1>Usage statement ${escapedHtml(month)}</h1>
<p>${escapedHtml(customer.name)}, tier ${escapedHtml(customer.tier)}<br>
From ${escapedHtml(from)} to ${escapedHtml(to)}${isWholeMonth ? '' : ' (the month is not over)'}<br>
Created at ${escapedHtml(createdAt)}.</p>
${table('Seats', ['Kind', 'Limit', 'Peak', 'Average', 'Hours above the limit'], kinds)}
${table('API calls', ['', ...PART], [['Total', calls.total, calls.errors], ...calls.services.map(({ key, ...part }) => [key ?? 'All others', part.calls, part.errors])])}
${users ? table('API calls by user', ['User', ...PART], users) : ''}
${table(
  'API calls by day (UTC)',
  ['Day', ...PART],
  calls.daily.map(({ day, ...part }) => [day, part.calls, part.errors]),
)}
${
  calls.notIncluded
    ? table(
        'API calls to services that the license did not include',
        ['Service', 'Calls'],
        calls.notIncluded.map((part) => [part.service, part.calls]),
      )
    : ''
}
${
  voids
    ? table(
        'Voided calls, which are not counted above',
        ['At', 'Source', 'Reason', ...PART],
        voids.map(({ at, sourceId, reason, ...part }) => [at, sourceId, reason ?? '', part.calls, part.errors]),
      )
    : ''
}
<h2>Verification code</h2>
<p class="code">${escapedHtml(code)}</p>
</body>
</html>
`;
};
