import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { format } from '../../../lib/format.ts';
import { focusRing } from '../../../theme/recipes/focusRing.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Input } from '../../../ui/controls.tsx';
import type { AsOfSource } from '../api/history.ts';
import { asOfTexts as texts } from '../asOfTexts.ts';
import { bannerTexts } from '../bannerTexts.ts';
import { AsOfCustomer } from './AsOfCustomer.tsx';
import { AsOfIntegrator } from './AsOfIntegrator.tsx';
import { localInputOf, momentOfInput } from './moment.ts';
import { useAsOf } from './useAsOf.ts';

const REST_MS = 200;
const STEPS = 500;
const MIN_STEP_MS = 1000;

export type AsOfCardProps = {
  source: AsOfSource;
  /** When it was created, ISO-8601 UTC. */
  createdAt: string;
  /** Whether the slider gets the focus, which it had before the screen changed to the moment. */
  takesFocus: boolean;
};

type MomentFieldProps = { label: string; value: number | null; start: number; end: number; onChange: (moment: string) => void };

const MomentField = ({ label, value, start, end, onChange }: MomentFieldProps) => (
  <Input
    type="datetime-local"
    step="1"
    aria-label={label}
    w={{ base: 'full', md: '230px' }}
    flexShrink="0"
    value={value === null ? '' : localInputOf(value)}
    min={localInputOf(start)}
    max={localInputOf(end)}
    onChange={(event) => {
      const moment = momentOfInput(event.target.value);
      if (moment !== null) onChange(moment);
    }}
  />
);

/** A second moment, to show both side by side. */
const Beside = ({ start, end }: { start: number; end: number }) => {
  const { other, compare } = useAsOf();
  return (
    <Flex px={{ base: '4', md: '5' }} pb="4" gap="3" align="center" wrap="wrap">
      <Text as="span" textStyle="sm" color="fg.muted">
        {texts.beside}
      </Text>
      <MomentField
        label={texts.besideHint}
        value={other === null ? null : Date.parse(other)}
        start={start}
        end={end}
        onChange={compare}
      />
      {other !== null && (
        <Button size="sm" variant="outline" onClick={() => compare(null)}>
          {texts.stopComparing}
        </Button>
      )}
    </Flex>
  );
};

/** A customer or service integrator at any moment since it was created, chosen with a slider, and at a second one. The address holds both. */
export const AsOfCard = ({ source, createdAt, takesFocus }: AsOfCardProps) => {
  const { at, other, choose } = useAsOf();
  const slider = useRef<HTMLInputElement>(null);
  const [end] = useState(() => Date.now());
  const start = Math.min(Date.parse(createdAt), end);
  const [moved, setMoved] = useState<number | null>(null);

  useEffect(() => {
    if (takesFocus) slider.current?.focus();
  }, [takesFocus]);
  useEffect(() => {
    if (moved === null) return;
    const timer = window.setTimeout(() => {
      setMoved(null);
      choose(new Date(moved).toISOString());
    }, REST_MS);
    return () => window.clearTimeout(timer);
  });

  const Result = source.kind === 'customer' ? AsOfCustomer : AsOfIntegrator;
  const chosen = moved ?? (at === null ? end : Date.parse(at));
  return (
    <Box as="section" aria-label={texts.asOf}>
      <Card>
        <CardHead
          title={texts.asOf}
          sub={`${texts.asOfSub[source.kind]} (${format.zone})`}
          right={
            at !== null && (
              <Button size="sm" variant="outline" onClick={() => choose(null)}>
                {bannerTexts.backToNow}
              </Button>
            )
          }
        />
        <Flex px={{ base: '4', md: '5' }} pb="4" gap="4" align="center" direction={{ base: 'column', md: 'row' }}>
          <chakra.input
            ref={slider}
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
          <MomentField label={texts.asOfExact} value={chosen} start={start} end={end} onChange={choose} />
        </Flex>
        {at === null ? (
          <Text px={{ base: '4', md: '5' }} pb="5" textStyle="sm" color="fg.subtle">
            {texts.asOfHint[source.kind]}
          </Text>
        ) : (
          <Beside start={start} end={end} />
        )}
      </Card>
      {at !== null && <Result source={source} at={at} other={other} />}
    </Box>
  );
};
