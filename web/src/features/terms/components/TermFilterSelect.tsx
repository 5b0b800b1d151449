import { Box } from '@chakra-ui/react';
import type { TermFilter } from '../../../../../src/contracts/terms.ts';
import { oneOf } from '../../../lib/listAddress.ts';
import { Select } from '../../../ui/controls.tsx';
import { termFilterTexts as texts } from '../filterTexts.ts';

const ALL = 'all';
const TERMS = [ALL, 'active', 'expiring', 'grace', 'expired', 'trial', 'perpetual'] as const satisfies readonly (
  | TermFilter
  | typeof ALL
)[];

/** The term that the address filters a list of customers by; undefined for all. */
export const termIn = (address: URLSearchParams): TermFilter | undefined => {
  const term = oneOf(TERMS, address.get('term'), ALL);
  return term === ALL ? undefined : term;
};

type TermFilterSelectProps = { term: TermFilter | undefined; onChange: (changes: { term: string }) => void };

/** Limits a list of customers to those whose license is in one state of its term. */
export const TermFilterSelect = ({ term, onChange }: TermFilterSelectProps) => (
  <Box w={{ base: 'full', md: '190px' }}>
    <Select aria-label={texts.label} value={term ?? ''} onChange={({ target }) => onChange({ term: target.value })}>
      {TERMS.map((value) => (
        <option key={value} value={value === ALL ? '' : value}>
          {texts[value]}
        </option>
      ))}
    </Select>
  </Box>
);
