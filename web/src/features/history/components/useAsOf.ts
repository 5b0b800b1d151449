import { useSearchParams } from 'react-router-dom';
import { newestQuery } from '../../../lib/listAddress.ts';
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
  const [address, setAddress] = useSearchParams();
  const set = (name: string, moment: string | null, dropped?: string): void =>
    setAddress(
      () => {
        const next = newestQuery();
        if (moment === null) next.delete(name);
        else next.set(name, moment);
        if (dropped !== undefined && moment === null) next.delete(dropped);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return {
    at: momentIn(address.get('asOf')),
    other: momentIn(address.get('beside')),
    choose: (moment) => set('asOf', moment, 'beside'),
    compare: (moment) => set('beside', moment),
  };
};
