import { useState } from 'react';
import { isApiError } from '../api/error.ts';

const STALE_VERSION = 412;

/**
 * The version that was seen when a form opened: a live update behind it must not hide a conflict. `renewAfter` takes the
 * newest version when a change was refused because of that, and says whether it was.
 */
export const useVersion = (seen: string | null, fetchNewest: () => Promise<{ etag: string | null }>) => {
  const [version, setVersion] = useState(seen);
  const renewAfter = async (error: Error): Promise<boolean> => {
    if (!isApiError(error) || error.status !== STALE_VERSION) return false;
    setVersion((await fetchNewest()).etag);
    return true;
  };
  return { version, renewAfter };
};
