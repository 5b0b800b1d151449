import { Box } from '@chakra-ui/react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { lazyComponent } from '../../../lib/lazyScreen.tsx';

/** Loaded only for a quota of which a part that is announced is used. */
const LazyCallQuotaBanner = lazyComponent(
  async () => (await import('./CallQuotaBanner.tsx')).CallQuotaBanner,
  () => null,
);

/** The banner of a customer whose monthly quota is used up soon; nothing before that. */
export const CallQuotaNotice = ({ customer: { callQuota } }: { customer: Pick<Customer, 'callQuota'> }) =>
  callQuota && callQuota.reached > 0 ? (
    <Box mb="4">
      <LazyCallQuotaBanner quota={callQuota} />
    </Box>
  ) : null;
