import { useState } from 'react';
import { isApiError } from '../api/error.ts';

const STALE_VERSION = 412;
const ATTEMPTS = 3;

/** What a form shows, and the version (ETag) of the resource that it was read from. */
type Seen<Shown> = { etag: string | null; shown: Shown };

/** Whether a change was rejected because another user changed the same resource before. */
export const isConflict = (error: unknown): boolean => isApiError(error) && error.status === STALE_VERSION;

/** The message of such a rejection; `subject` as 'this customer'. */
export const conflictMessage = (subject: string): string =>
  `Someone else updated ${subject}. We refreshed the fields you hadn't edited. Review and save again.`;

type Options<Shown> = {
  /** Whether a live update may replace the version, because the user has not edited the form. */
  followsSeen?: boolean;
  fetchNewest: () => Promise<Seen<Shown>>;
  /** Shows in the form what another user has changed since `before`. */
  takeOver: (newest: Shown, before: Shown) => void;
};

/**
 * Sends a change with the version that the form was opened on, so that a live update behind the form hides no conflict. A
 * version covers the whole resource, such as a customer's seats. If the values that the form shows are unchanged, the change
 * is sent again with the newest version. Otherwise the newest values are taken over into the form and the conflict is thrown.
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
