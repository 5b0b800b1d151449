import { callTexts } from './texts.ts';

const { facts, filters } = callTexts;

/** Texts of the dialog that voids calls, which is loaded on demand. */
export const voidDialogTexts = {
  /** What is voided: the numbers and the times are empty where they do not limit it. */
  what: (source: string, first: string, last: string, from: string, until: string): string => {
    const numbers =
      first === '' ? (last === '' ? '' : ` up to number ${last}`) : last === '' ? ` from number ${first}` : ` ${first} to ${last}`;
    const times = [from && ` made from ${from}`, until && ` made before ${until}`].filter((time) => time !== '').join(' and');
    return `${numbers === '' ? 'All calls' : `Calls${numbers}`} of source ${source}${times} are voided.`;
  },
  arriving: 'That includes calls that are recorded after the preview, until you void them. Calls recorded later count.',
  ignored: (names: readonly string[]): string =>
    `${names.length === 1 ? 'This filter of the list does' : 'These filters of the list do'} not apply: ${names.join(', ')}. Calls that ${names.length === 1 ? 'it hides' : 'they hide'} are voided too.`,
  /** Filters of the list that do not limit a void. */
  filters: {
    outcome: facts.outcome,
    service: facts.service,
    entitlement: 'License',
    userId: facts.user,
    operation: filters.operation,
    instanceUrl: filters.instanceUrl,
    status: filters.status,
    minDurationMs: filters.minDurationMs,
    receivedFrom: filters.receivedFrom,
    receivedTo: filters.receivedTo,
  },
  notNumbers: 'Enter whole numbers from 1 to see what would be voided.',
  reversed: 'To number must not be less than From number.',
} as const;
