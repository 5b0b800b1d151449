import { Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { MINUTE_MS } from '../../../../../src/domain/time.ts';
import { TriangleAlert } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { useNow } from '../../../ui/media.ts';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/Time.tsx';
import { alertsQuery } from '../api/alerts.ts';
import { alertTexts as texts } from '../texts.ts';
import { alertAddress } from './alertAddress.ts';

/** The alerts that are not resolved, above each screen of the administration. Each opens what it is about. */
export const FiringAlerts = () => {
  const { data } = useQuery(alertsQuery());
  const now = useNow(MINUTE_MS);
  const firing = data?.alerts.filter(({ resolvedAt }) => resolvedAt === null) ?? [];
  if (firing.length === 0) return null;
  return (
    <Flex as="section" aria-label={texts.region} direction="column" mb="5">
      <Banner
        tone="error"
        icon={TriangleAlert}
        action={
          <Link to="/admin/monitoring/alerts" className="text-link">
            {texts.open}
          </Link>
        }
      >
        <ul>
          {firing.map((alert) => (
            <li key={alert.alertId}>
              <Link to={alertAddress(alert, now)} className="text-link">
                {texts.banner(alert)}
              </Link>
              , {texts.since} <Time at={alert.firedAt} />
            </li>
          ))}
        </ul>
      </Banner>
    </Flex>
  );
};
