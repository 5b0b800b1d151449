import { Box } from '@chakra-ui/react';
import type { Health } from '../../../../../src/contracts/monitoring.ts';
import { TriangleAlert } from '../../../ui/icons.ts';
import { Banner } from '../../../ui/states.tsx';
import { monitoringTexts } from '../texts.ts';
import { checkId, nameOf } from './checkName.ts';

const { failing: texts } = monitoringTexts;

/** Names the checks that are not healthy, critical ones first. */
export const FailingChecks = ({ health }: { health: Health }) => {
  const failing = Object.entries(health.checks).filter(([, { status }]) => status !== 'healthy');
  if (failing.length === 0) return null;
  const isCritical = failing.some(([, { status }]) => status === 'critical');
  const ordered = [...failing].sort(([, a], [, b]) => Number(b.status === 'critical') - Number(a.status === 'critical'));
  return (
    <Box as="section" aria-label={texts.title} mb="4">
      <Banner tone={isCritical ? 'error' : 'warning'} icon={TriangleAlert}>
        <ul>
          {ordered.map(([name, { status, message }]) => (
            <li key={name}>
              <Box asChild display="inline-block" lineHeight="24px">
                <a className="text-link" href={`#${checkId(name)}`}>
                  {texts.line(nameOf(name), status === 'critical', message)}
                </a>
              </Box>
            </li>
          ))}
        </ul>
      </Banner>
    </Box>
  );
};
