import { accept, type Command, type Decider } from '../decider.ts';
import type { BulkChangeFinished, ImportFinished } from './events.ts';

/** A file was imported. Each of its lines was a command of its own. */
type RecordImport = Command<'RecordImport', ImportFinished['data']>;
/** Several customers, or service integrators, were changed together. Each change was a command of its own. */
type RecordBulkChange = Command<'RecordBulkChange', BulkChangeFinished['data']>;
/** The commands that record a finished import or bulk change in the stream of the installation. */
export type ImportCommand = RecordImport | RecordBulkChange;

/** Imports and bulk actions are recorded as they happened: nothing is refused. */
export const importsDecider: Decider<ImportCommand, null, ImportFinished | BulkChangeFinished, never> = {
  initial: null,
  decide: ({ type, data }) =>
    type === 'RecordImport' ? accept({ type: 'ImportFinished', data }) : accept({ type: 'BulkChangeFinished', data }),
  evolve: () => null,
};
