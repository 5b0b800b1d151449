import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { format } from '../../../lib/format.ts';
import { focusRing } from '../../../theme/recipes/focusRing.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Input } from '../../../ui/controls.tsx';
import type { HistorySource } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';
import { AsOfResult } from './AsOfResult.tsx';
import { localInputOf, momentOfInput } from './moment.ts';
import { useAsOf } from './useAsOf.ts';

const REST_MS = 200;
const STEPS = 500;
const MIN_STEP_MS = 1000;

type AsOfCardProps = { source: HistorySource; customer: Customer };

/** The customer at any moment since it was created, chosen with a slider. The address holds the moment. */
export const AsOfCard = ({ source, customer }: AsOfCardProps) => {
  const { at, choose } = useAsOf();
  const [end] = useState(() => Date.now());
  const start = Math.min(Date.parse(customer.createdAt), end);
  const [moved, setMoved] = useState<number | null>(null);

  useEffect(() => {
    if (moved === null) return;
    const timer = window.setTimeout(() => {
      setMoved(null);
      choose(new Date(moved).toISOString());
    }, REST_MS);
    return () => window.clearTimeout(timer);
  });

  const chosen = moved ?? (at === null ? end : Date.parse(at));
  return (
    <Card as="section" aria-label={texts.asOf}>
      <CardHead
        title={texts.asOf}
        sub={`${texts.asOfSub} (${format.zone})`}
        right={
          at !== null && (
            <Button size="sm" variant="outline" onClick={() => choose(null)}>
              {texts.backToNow}
            </Button>
          )
        }
      />
      <Flex px={{ base: '4', md: '5' }} pb="4" gap="4" align="center" direction={{ base: 'column', md: 'row' }}>
        <chakra.input
          type="range"
          w="full"
          h="6"
          borderRadius="l2"
          accentColor="chart.1"
          cursor="pointer"
          _focusVisible={focusRing}
          aria-label={texts.asOfSlider}
          aria-valuetext={format.dateTime(new Date(chosen).toISOString())}
          min={start}
          max={end}
          step={Math.max(MIN_STEP_MS, Math.floor((end - start) / STEPS))}
          value={Math.min(end, Math.max(start, chosen))}
          onChange={(event) => setMoved(Number(event.target.value))}
        />
        <Input
          type="datetime-local"
          step="1"
          aria-label={texts.asOfExact}
          w={{ base: 'full', md: '230px' }}
          flexShrink="0"
          value={localInputOf(chosen)}
          min={localInputOf(start)}
          max={localInputOf(end)}
          onChange={(event) => {
            const moment = momentOfInput(event.target.value);
            if (moment !== null) choose(moment);
          }}
        />
      </Flex>
      {at === null ? (
        <Text px={{ base: '4', md: '5' }} pb="5" textStyle="sm" color="fg.subtle">
          {texts.asOfHint}
        </Text>
      ) : (
        <AsOfResult source={source} at={at} />
      )}
    </Card>
  );
};
