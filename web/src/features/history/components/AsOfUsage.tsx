import { Box, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { format } from '../../../lib/format.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { UsageFigures } from '../../usage/index.ts';
import { USAGE_DAYS, usageUntilQuery } from '../api/asOf.ts';
import type { AsOfSource } from '../api/history.ts';
import { asOfTexts as texts } from '../asOfTexts.ts';

/** The height of four rows of figures. */
const HEIGHT = '320px';

type AsOfUsageProps = { source: AsOfSource; at: string; isBeside: boolean };

/** The figures of usage up to a moment, for sessions that may read usage. */
export const AsOfUsage = ({ source, at, isBeside }: AsOfUsageProps) => {
  const mayRead = usePermission('usage:read');
  const query = useQuery({ ...usageUntilQuery(source, at), enabled: mayRead });
  if (!mayRead) return null;
  return (
    <Box role="group" aria-label={texts.usageThen(USAGE_DAYS)} opacity={query.isPlaceholderData ? 0.6 : 1}>
      <Text as="h4" textStyle="sm" fontWeight="semibold" px={{ base: '4', md: '5' }} pt="2">
        {texts.usageThen(USAGE_DAYS)}
      </Text>
      <QueryView query={query} loading={texts.usageLoading} fallback={texts.usageThenFailed} height={HEIGHT}>
        {({ usage }) => (
          <>
            <UsageFigures usage={usage} callsOf={null} columns={{ base: 2, md: isBeside ? 2 : 4, '2xl': 4 }} />
            {usage.until !== undefined && usage.until !== at && (
              <Text textStyle="xs" color="fg.subtle" px={{ base: '4', md: '5' }} pb="2">
                {texts.usageCountedTo(format.exact(usage.until))}
              </Text>
            )}
          </>
        )}
      </QueryView>
    </Box>
  );
};
