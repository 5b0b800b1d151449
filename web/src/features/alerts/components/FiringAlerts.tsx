import { Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { MINUTE_MS } from '../../../../../src/domain/time.ts';
import { TriangleAlert } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { useNow } from '../../../ui/media.ts';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/Time.tsx';
import { alertsQuery } from '../api/alerts.ts';
import { firingIn } from '../firing.ts';
import { alertTexts as texts } from '../texts.ts';
import { alertAddress } from './alertAddress.ts';

const ALERTS = '/admin/monitoring/alerts';

/** The alerts that are not resolved, above each screen of the administration. Each opens what it is about. */
export const FiringAlerts = () => {
  const { data } = useQuery(alertsQuery());
  const now = useNow(MINUTE_MS);
  const firing = firingIn(data);
  if (firing.length === 0) return null;
  return (
    <Flex as="section" aria-label={texts.region} direction="column" mb="5">
      <Banner
        tone="error"
        icon={TriangleAlert}
        action={
          <Link to={ALERTS} className="text-link">
            {texts.open}
          </Link>
        }
      >
        <ul>
          {firing.map((alerts) => (
            <li key={alerts[0].ruleId}>
              <Link to={alerts.length === 1 ? alertAddress(alerts[0], now) : ALERTS} className="text-link">
                {texts.banner(alerts)}
              </Link>
              , {texts.since} <Time at={(alerts.at(-1) ?? alerts[0]).firedAt} />
            </li>
          ))}
        </ul>
      </Banner>
    </Flex>
  );
};
