import { useEffect, useState } from 'react';

const SHOWN_MS = 3000;

/** After a successful save: reports it for 3 seconds, then reloads the page, so that all of it shows the new settings. */
export const useSavedThenReload = (): { isSaved: boolean; saved: () => void } => {
  const [isSaved, setSaved] = useState(false);
  useEffect(() => {
    if (!isSaved) return;
    const timer = window.setTimeout(() => location.reload(), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [isSaved]);
  return { isSaved, saved: () => setSaved(true) };
};
