import { lazyComponent } from '../../../lib/lazyScreen.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Loading } from '../../../ui/states.tsx';
import { usageScreenTexts } from '../screenTexts.ts';

const HEIGHT = '300px';

const Placeholder = () => (
  <Card>
    <Loading label={usageScreenTexts.week.title} height={HEIGHT} />
  </Card>
);

/** The hours of the week are below the charts, so their code is loaded after the screen. */
export const WeekCard = lazyComponent(async () => (await import('./WeekCard.tsx')).WeekCard, Placeholder);
