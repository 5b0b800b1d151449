import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isUuid } from '../../../src/domain/ids.ts';
import { isDay } from '../../../src/domain/time.ts';

/** The value if it is allowed, else the fallback: users can edit the address. */
export const oneOf = <Value extends string>(allowed: readonly Value[], value: string | null, fallback: Value): Value =>
  allowed.find((one) => one === value) ?? fallback;

/** A day of an address, `yyyy-mm-dd`; empty if it is none. */
export const dayIn = (typed: string | null): string =>
  typed !== null && isDay(typed) && !Number.isNaN(Date.parse(`${typed}T00:00:00`)) ? typed : '';

/** An id of an address; empty if it is none. */
export const idIn = (typed: string | null): string => (isUuid(typed) ? typed : '');

/** The day of a moment in the browser's time zone, and some days later, as yyyy-mm-dd. */
export const localDayOf = (moment: string | Date, later = 0): string => {
  const at = new Date(moment);
  const day = new Date(at.getFullYear(), at.getMonth(), at.getDate() + later);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
};

/** The first moment of a day in the browser's time zone, ISO-8601 UTC; empty for no day. */
export const startOfDay = (day: string): string => day && new Date(`${day}T00:00:00`).toISOString();

/** The last moment of a day in the browser's time zone, ISO-8601 UTC; empty for no day. */
export const endOfDay = (day: string): string => day && new Date(`${day}T23:59:59.999`).toISOString();

type AddressOptions = Readonly<{ preventScrollReset?: boolean; state?: unknown }>;

/**
 * The query of the address, and how to change parameters of it without leaving the page; '' removes one. A new entry of the browser's
 * history lets the user go back to what was shown before. A change starts from the address
 * itself: while the router renders an earlier change, the rendered one is older, and the change would undo the earlier one.
 */
export const useAddress = ({ preventScrollReset = false, state }: AddressOptions = {}) => {
  const [address, setAddress] = useSearchParams();
  const change = useCallback(
    (changes: Readonly<Record<string, string>>, entry: 'replaced' | 'new' = 'replaced') =>
      setAddress(
        () => {
          const next = new URLSearchParams(window.location.search);
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: entry === 'replaced', preventScrollReset, state },
      ),
    [setAddress, preventScrollReset, state],
  );
  return { address, change };
};

/**
 * The state of a list, kept in the address. A change returns to the first page. `openings` is how often the address asked to open
 * the form that creates an entry; that is removed from the address, so that a reload does not open the form again.
 */
export const useListAddress = () => {
  const { address, change: changeAddress } = useAddress();
  const change = useCallback(
    (changes: Readonly<Record<string, string>>, entry?: 'replaced' | 'new') => changeAddress({ cursor: '', ...changes }, entry),
    [changeAddress],
  );
  const [openings, setOpenings] = useState(0);
  const wantsNew = address.has('new');
  useEffect(() => {
    if (!wantsNew) return;
    setOpenings((before) => before + 1);
    change({ new: '' });
  }, [wantsNew, change]);
  return { address, change, openings };
};
