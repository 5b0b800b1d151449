import type { LicenseCallQuota } from '../../../../../src/contracts/callQuotas.ts';
import { format } from '../../../lib/format.ts';
import { Banner } from '../../../ui/states.tsx';
import { callQuotaBannerTexts as texts } from '../bannerTexts.ts';

const ALL = 100;

/** What part of the monthly quota of API calls is used, and what happens next. */
export const CallQuotaBanner = ({ quota: { limit, kind, reached, resetsAt } }: { quota: LicenseCallQuota }) => {
  const [calls, day] = [format.whole(limit), format.utcDate(resetsAt)];
  if (reached < ALL) return <Banner tone="warning">{texts.reached(reached, calls, day)}</Banner>;
  return kind === 'hard' ? (
    <Banner tone="error">{texts.hardUsed(calls, day)}</Banner>
  ) : (
    <Banner tone="warning">{texts.softUsed(calls, day)}</Banner>
  );
};
