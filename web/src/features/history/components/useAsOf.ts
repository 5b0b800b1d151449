import { useSearchParams } from 'react-router-dom';
import { momentIn } from './moment.ts';

/** The moment that the address names, ISO-8601 UTC, and how to choose another one; null for now. */
export const useAsOf = (): { at: string | null; choose: (moment: string | null) => void } => {
  const [address, setAddress] = useSearchParams();
  const choose = (moment: string | null): void =>
    setAddress(
      (current) => {
        const next = new URLSearchParams(current);
        if (moment === null) next.delete('asOf');
        else next.set('asOf', moment);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  return { at: momentIn(address.get('asOf')), choose };
};
