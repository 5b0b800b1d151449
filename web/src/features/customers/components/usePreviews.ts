import { useEffect, useRef, useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { runEach } from '../../../api/useBulkRun.ts';
import type { Preview } from '../../plans/index.ts';

/** As many as a bulk action sends at a time. */
const CONCURRENT = 4;

type Loaded = Readonly<{ wanted: string | null; previews: ReadonlyMap<CustomerId, Preview>; error: unknown }>;

/**
 * Loads what an action makes of each selected customer, for the customers that the dialog was opened with. `wanted` identifies the action
 * and its values: another one loads again, null loads nothing.
 */
export const usePreviews = (
  selected: readonly Customer[],
  wanted: string | null,
  load: (customer: Customer, signal: AbortSignal) => Promise<Preview>,
) => {
  const [customers] = useState(selected);
  const [state, setState] = useState<Loaded>({ wanted: null, previews: new Map(), error: null });
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (wanted === null) return;
    const stop = new AbortController();
    setState({ wanted, previews: new Map(), error: null });
    const work = async (customer: Customer): Promise<void> => {
      if (stop.signal.aborted) return;
      const preview = await latest.current(customer, stop.signal);
      setState((before) => ({ ...before, previews: new Map(before.previews).set(customer.id, preview) }));
    };
    runEach(customers, CONCURRENT, work).catch((error: unknown) => {
      if (stop.signal.aborted) return;
      stop.abort();
      setState((before) => ({ ...before, error }));
    });
    return () => stop.abort();
  }, [customers, wanted]);
  const isCurrent = wanted !== null && state.wanted === wanted;
  const loaded = isCurrent ? state.previews.size : 0;
  return {
    /** The preview of a customer, once it is loaded. */
    of: ({ id }: Customer): Preview | undefined => (isCurrent ? state.previews.get(id) : undefined),
    /** Loads the preview of a customer again. */
    reload: async (customer: Customer): Promise<void> => {
      const preview = await latest.current(customer, new AbortController().signal);
      setState((before) => ({ ...before, previews: new Map(before.previews).set(customer.id, preview) }));
    },
    loaded,
    isComplete: loaded === customers.length,
    isLoading: wanted !== null && !state.error && loaded < customers.length,
    error: isCurrent ? state.error : null,
  };
};
