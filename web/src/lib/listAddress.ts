import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

/** The value if it is allowed, else the fallback: users can edit the address. */
export const oneOf = <Value extends string>(allowed: readonly Value[], value: string | null, fallback: Value): Value =>
  allowed.find((one) => one === value) ?? fallback;

/**
 * The state of a list, kept in the address. A change returns to the first page. `wantsNew` is whether the address asks to open
 * the form that creates an entry; it is removed from the address, so that a reload does not open the form again.
 */
export const useListAddress = () => {
  const [address, setAddress] = useSearchParams();
  const change = useCallback(
    (changes: Readonly<Record<string, string>>) =>
      setAddress(
        (current) => {
          const next = new URLSearchParams(current);
          next.delete('cursor');
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setAddress],
  );
  const [wantsNew] = useState(() => address.has('new'));
  useEffect(() => {
    if (wantsNew) change({ new: '' });
  }, [wantsNew, change]);
  return { address, change, wantsNew };
};
