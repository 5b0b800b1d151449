import { type ComponentProps, type ComponentType, useEffect, useState } from 'react';
import { setReauthenticationHandler } from '../../../api/client.ts';
import type { Ask } from './Ask.tsx';

type Question = { id: number; Ask: ComponentType<ComponentProps<typeof Ask>>; settle: (isConfirmed: boolean) => void };

/**
 * Shows one dialog for all calls that ask for a recent authentication. They are sent again when it was confirmed, and fail with their own
 * text where its code cannot be loaded.
 */
export const Reauthentication = () => {
  const [question, setQuestion] = useState<Question>();
  useEffect(() => {
    setReauthenticationHandler(async () => {
      const loaded = await import('./Ask.tsx').catch(() => null);
      if (!loaded) return false;
      return new Promise((settle) => setQuestion((former) => ({ id: (former?.id ?? 0) + 1, Ask: loaded.Ask, settle })));
    });
  }, []);
  return question ? <question.Ask key={question.id} settle={question.settle} /> : null;
};
