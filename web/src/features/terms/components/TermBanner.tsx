import type { LicenseTerm } from '../../../../../src/contracts/terms.ts';
import { daysUntil } from '../../../../../src/domain/time.ts';
import { format } from '../../../lib/format.ts';
import { Banner } from '../../../ui/states.tsx';
import { termBannerTexts as texts } from '../bannerTexts.ts';

/** For a customer whose license expires soon or has expired: what to do. Nothing while it is active. */
export const TermBanner = ({ term }: { term: LicenseTerm }) => {
  const { state, expiresAt, endsAt, isTrial, isRenewalDue } = term;
  const what = isTrial ? texts.trial : texts.license;
  switch (state) {
    case 'active':
      return null;
    case 'expiring': {
      const text = texts.inDays(
        isTrial ? texts.trialEnds : texts.expires,
        format.utcDate(expiresAt),
        daysUntil(expiresAt, Date.now()),
      );
      if (isRenewalDue) return <Banner tone="warning">{`${text} ${texts.renew}`}</Banner>;
      return <Banner tone="info">{text}</Banner>;
    }
    case 'grace':
      return <Banner tone="warning">{texts.grace(what, format.utcDate(expiresAt), format.utcDate(endsAt))}</Banner>;
    case 'expired':
      return <Banner tone="error">{texts.expired(what, format.utcDate(endsAt))}</Banner>;
  }
};
