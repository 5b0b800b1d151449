import { lazyComponent } from '../../../lib/lazyScreen.tsx';
import { Loading } from '../../../ui/states.tsx';
import { usageTexts } from '../texts.ts';

const HEIGHT = '900px';

const Placeholder = () => <Loading label={usageTexts.loading} height={HEIGHT} />;

/** They are below the charts, so their code is loaded after the screen. */
export const ArrivedCards = lazyComponent(async () => (await import('./ArrivedCards.tsx')).ArrivedCards, Placeholder);
