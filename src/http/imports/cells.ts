import { entitlementsIn } from '../../contracts/entitlementLines.ts';
import { isDay } from '../../domain/time.ts';
import { ALL, NONE } from '../listExport.ts';
import { isTooComplex } from '../requests/bodyShape.ts';
import { validationProblem } from '../requests/validation.ts';
import { type FileLine, valueIn } from './csvFile.ts';

/** Reads the value of a cell as a request has it; undefined keeps what there is. What cannot be read stays text, which the contract refuses. */
type Read = (value: string, column: string) => unknown;

export const asText: Read = (value) => value;

export const asNumber: Read = (value) => {
  if (value === '') return undefined;
  return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
};

/** Whether a cell says that there is no value. */
export const isNone = (value: string | undefined): boolean => value?.toLowerCase() === NONE;

/** `none` removes it. */
export const asNumberOrNone: Read = (value, column) => (isNone(value) ? null : asNumber(value, column));

/** `none` removes it. */
export const asTheme: Read = (value) => {
  if (value === '') return undefined;
  return isNone(value) ? null : value;
};

export const asBoolean: Read = (value) => {
  const word = value.toLowerCase();
  if (word === '') return undefined;
  return word === 'true' || word === 'false' ? word === 'true' : value;
};

export const asChoice: Read = (value) => (value === '' ? undefined : value.toLowerCase());

export const asTags: Read = (value) =>
  value
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** As an export has them. `all` includes everything. Throws `validation_failed` for `none`, which no license has. */
export const asEntitlements: Read = (value, column) => {
  if (isNone(value)) throw validationProblem([{ path: column, message: 'Must be all, or name what is included' }]);
  return value.toLowerCase() === ALL ? null : (entitlementsIn(value) ?? undefined);
};

/** A day is its beginning in UTC. */
export const asInstant: Read = (value) => {
  if (value === '') return undefined;
  return isDay(value) ? `${value}T00:00:00Z` : value;
};

/** Throws `validation_failed` for what a JSON body would be refused for. */
export const asJson: Read = (value, column) => {
  if (value === '') return null;
  const refuse = (message: string): never => {
    throw validationProblem([{ path: column, message }]);
  };
  if (isTooComplex(Buffer.from(value))) return refuse('Must not have that many levels or fields');
  if (value.includes('\\u0000')) return refuse('Must not contain NUL characters');
  try {
    return JSON.parse(value);
  } catch {
    return refuse('Must be a JSON object like {"crm":"A-17"}');
  }
};

/** The fields of requests by column, and how each is read. */
export type CellFields = Readonly<Record<string, readonly [field: string, read: Read]>>;

/** The fields of some columns that a line has. Throws `validation_failed`. */
export const fieldsOf = (line: FileLine, fields: CellFields, columns: readonly string[] = Object.keys(fields)) => {
  const values: Record<string, unknown> = {};
  for (const column of columns) {
    const text = valueIn(line, column);
    const [field, read] = fields[column] ?? [];
    const value = text === undefined || read === undefined ? undefined : read(text, column);
    if (field !== undefined && value !== undefined) values[field] = value;
  }
  return values;
};
