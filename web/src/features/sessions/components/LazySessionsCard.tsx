import { lazyComponent } from '../../../lib/lazyScreen.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Loading } from '../../../ui/states.tsx';
import type { SessionScope } from '../api/sessions.ts';
import { sessionTexts as texts } from '../texts.ts';

/** The open sessions on a screen whose form is loaded first. */
export const LazySessionsCard = lazyComponent<{ scope: SessionScope }>(
  async () => (await import('./SessionsCard.tsx')).SessionsCard,
  ({ scope }) => (
    <Card as="section" aria-label={texts[scope]}>
      <Loading label={texts.loading} height="230px" />
    </Card>
  ),
);
