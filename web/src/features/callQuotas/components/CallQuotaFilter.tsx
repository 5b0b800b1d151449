import { Box } from '@chakra-ui/react';
import type { CallQuotaState } from '../../../../../src/contracts/callQuotas.ts';
import { oneOf } from '../../../lib/listAddress.ts';
import { Select } from '../../../ui/controls.tsx';
import { callQuotaFilterTexts as texts } from '../filterTexts.ts';

const ALL = 'all';
const STATES = [ALL, 'near', 'exceeded'] as const satisfies readonly (CallQuotaState | typeof ALL)[];

/** The state of the monthly quota that the address filters a list of customers by; undefined for all. */
export const quotaIn = (address: URLSearchParams): CallQuotaState | undefined => {
  const state = oneOf(STATES, address.get('quota'), ALL);
  return state === ALL ? undefined : state;
};

type CallQuotaFilterProps = {
  quota: CallQuotaState | undefined;
  onChange: (changes: { quota: string }) => void;
};

/** Limits a list of customers to those whose quota is nearly or entirely used. */
export const CallQuotaFilter = ({ quota, onChange }: CallQuotaFilterProps) => (
  <Box w={{ base: 'full', md: '170px' }}>
    <Select aria-label={texts.label} value={quota ?? ''} onChange={({ target }) => onChange({ quota: target.value })}>
      {STATES.map((state) => (
        <option key={state} value={state === ALL ? '' : state}>
          {texts[state]}
        </option>
      ))}
    </Select>
  </Box>
);
