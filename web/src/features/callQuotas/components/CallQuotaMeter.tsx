import { Box } from '@chakra-ui/react';
import type { CallQuotaUse } from '../../../../../src/contracts/callQuotas.ts';
import { format } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { SeatMeter } from '../../../ui/SeatMeter.tsx';
import { callQuotaTexts as texts } from '../texts.ts';

/** How much of the monthly quota of API calls is used. */
export const CallQuotaMeter = ({ quota: { limit, kind, used, resetsAt } }: { quota: CallQuotaUse }) => (
  <Card as="section" aria-label={texts.title}>
    <CardHead
      title={texts.title}
      sub={texts.sub(format.utcDate(resetsAt))}
      right={<Badge tone="gray">{texts.kinds[kind]}</Badge>}
    />
    <Box px={{ base: '4', md: '5' }} pb="4">
      <SeatMeter isWide label={texts.used} active={used} allocated={limit} />
    </Box>
  </Card>
);
