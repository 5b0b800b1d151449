import { useState } from 'react';
import { isApiError } from '../api/error.ts';

const STALE_VERSION = 412;
const ATTEMPTS = 3;

/** What a form shows, and the version of the thing that it was taken from. */
export type Seen<Shown> = { etag: string | null; shown: Shown };

/** Whether a change was refused because somebody else changed the same before. */
export const isConflict = (error: unknown): boolean => isApiError(error) && error.status === STALE_VERSION;

/** What is said of such a refusal; `subject` as 'this customer'. */
export const changedMeanwhile = (subject: string): string =>
  `Someone else updated ${subject}. We refreshed the fields you hadn't edited. Review and save again.`;

type Options<Shown> = {
  /** Where a live update may be taken over, since nobody has typed yet. */
  followsSeen?: boolean;
  fetchNewest: () => Promise<Seen<Shown>>;
  /** Shows in the form what somebody else has changed since it was made from `before`. */
  takeOver: (newest: Shown, before: Shown) => void;
};

/**
 * Sends a change with the version that its form was made from, so that a live update behind the form hides no conflict. A
 * version counts everything about a thing, as a customer's seats: where what the form shows is still the same, the
 * change is sent again; else it is taken over into the form and the conflict is thrown, and the next try is made on what is there now.
 */
export const useVersion = <Shown>(seen: Seen<Shown>, { followsSeen = false, fetchNewest, takeOver }: Options<Shown>) => {
  const [base, setBase] = useState(seen);
  if (followsSeen && base.etag !== seen.etag) setBase(seen);

  return async <Reply>(send: (etag: string | null) => Promise<Reply>): Promise<Reply> => {
    let current = base;
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(current.etag);
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
        const newest = await fetchNewest();
        const isSame = JSON.stringify(newest.shown) === JSON.stringify(current.shown);
        if (!isSame) takeOver(newest.shown, current.shown);
        current = newest;
        setBase(newest);
        if (!isSame) throw error;
      }
    }
  };
};
