import type { Customer } from '../../../src/contracts/customers.ts';
import { format } from '../lib/format.ts';
import { Fact } from './Facts.tsx';

const words = {
  label: 'Floating developer seats',
  after: (minutes: number): string =>
    minutes === 1 ? 'Free 1 minute after the last use' : `Free ${format.whole(minutes)} minutes after the last use`,
} as const;

/** When a floating developer seat of a customer becomes free; nothing where seats are named. */
export const FloatingSeatsFact = ({ customer: { floatingDeveloperMinutes: minutes } }: { customer: Customer }) =>
  minutes === undefined ? null : <Fact label={words.label}>{words.after(minutes)}</Fact>;
