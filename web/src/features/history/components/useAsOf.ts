import { useAddress } from '../../../lib/listAddress.ts';
import { momentIn } from './moment.ts';

type AsOf = {
  at: string | null;
  /** The moment beside it. */
  other: string | null;
  choose: (moment: string | null) => void;
  compare: (moment: string | null) => void;
};

/** The moments that the address names, ISO-8601 UTC, and how to choose others; null for now, and for no other moment. */
export const useAsOf = (): AsOf => {
  const { address, change } = useAddress({ preventScrollReset: true });
  return {
    at: momentIn(address.get('asOf')),
    other: momentIn(address.get('beside')),
    choose: (moment) => change({ asOf: moment ?? '', ...(moment === null && { beside: '' }) }),
    compare: (moment) => change({ beside: moment ?? '' }),
  };
};
