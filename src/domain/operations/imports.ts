import { accept, type Command, type Decider } from '../decider.ts';
import type { ImportFinished } from './events.ts';

/** A file was imported. Each of its lines was a command of its own. */
export type RecordImport = Command<'RecordImport', ImportFinished['data']>;

/** Imports are recorded as they happened: nothing is refused. */
export const importsDecider: Decider<RecordImport, null, ImportFinished, never> = {
  initial: null,
  decide: ({ data }) => accept({ type: 'ImportFinished', data }),
  evolve: () => null,
};
