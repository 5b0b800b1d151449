import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { memo, useEffect, useId, useState } from 'react';
import { CHART_DAYS, CHART_RANGES, type ChartRange } from '../../../../../src/contracts/chartSpans.ts';
import { DAY_MS } from '../../../../../src/domain/time.ts';
import { Input } from '../../../ui/controls.tsx';
import { FilterButtons } from '../../../ui/FilterBar.tsx';
import { ArrowLeft } from '../../../ui/icons.ts';
import { Switch } from '../../../ui/Switch.tsx';
import { type ChartChoices, type ChartView, lengthOf } from '../api/period.ts';
import { monitoringTexts } from '../texts.ts';

const { windows, period: texts } = monitoringTexts;
const RANGES = Object.keys(CHART_RANGES) as ChartRange[]; // the keys of a constant
const OPTIONS = [...RANGES, 'custom' as const].map((value) => ({ value, label: windows[value] }));

const two = (value: number): string => String(value).padStart(2, '0');

/** The value of a field of date and time, in the browser's time zone. */
const typedOf = (at: number): string => {
  const time = new Date(at);
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
};

const faultOf = (from: number, to: number): string | null => {
  if (!(from < to)) return texts.order;
  return to - from > CHART_DAYS * DAY_MS ? texts.tooLong(CHART_DAYS) : null;
};

type FieldProps = { label: string; value: string; fault: string | null; noteId: string; onChange: (typed: string) => void };

const TimeField = ({ label, value, fault, noteId, onChange }: FieldProps) => {
  const id = useId();
  return (
    <Flex align="center" gap="2">
      <chakra.label htmlFor={id} textStyle="sm" color="fg.muted">
        {label}
      </chakra.label>
      <Input
        id={id}
        type="datetime-local"
        step={1}
        value={value}
        aria-invalid={fault !== null}
        aria-describedby={noteId}
        onChange={(event) => onChange(event.target.value)}
      />
    </Flex>
  );
};

type CustomProps = { from: number; to: number; choosePeriod: (from: number, to: number) => void };

/** Both ends of a custom period. It is applied when they are valid. */
const CustomFields = ({ from, to, choosePeriod }: CustomProps) => {
  const [typed, setTyped] = useState({ from: typedOf(from), to: typedOf(to) });
  const noteId = useId();
  useEffect(() => setTyped({ from: typedOf(from), to: typedOf(to) }), [from, to]);
  const fault = faultOf(Date.parse(typed.from), Date.parse(typed.to));
  const change = (next: typeof typed): void => {
    setTyped(next);
    const [start, end] = [Date.parse(next.from), Date.parse(next.to)];
    if (faultOf(start, end) === null) choosePeriod(start, end);
  };
  return (
    <>
      <TimeField
        label={texts.from}
        value={typed.from}
        fault={fault}
        noteId={noteId}
        onChange={(value) => change({ ...typed, from: value })}
      />
      <TimeField
        label={texts.to}
        value={typed.to}
        fault={fault}
        noteId={noteId}
        onChange={(value) => change({ ...typed, to: value })}
      />
      <Text id={noteId} aria-live="polite" textStyle="xs" color="fg.error">
        {fault}
      </Text>
    </>
  );
};

type ControlsProps = { view: ChartView } & Pick<ChartChoices, 'chooseRange' | 'choosePeriod' | 'compare'>;

/** The ranges of the charts, the fields of a custom period with a way back, and the comparison. */
export const PeriodControls = memo(({ view, chooseRange, choosePeriod, compare }: ControlsProps) => {
  const { range, custom, isCompared } = view;
  const choose = (value: ChartRange | 'custom'): void => {
    const now = Math.floor(Date.now() / 1000) * 1000;
    if (value !== 'custom') chooseRange(value);
    else if (!custom) choosePeriod(now - lengthOf(view), now);
  };
  return (
    <Flex align="center" columnGap="4" rowGap="2" wrap="wrap" mt="4">
      <FilterButtons label={monitoringTexts.window} value={custom ? 'custom' : range} onChange={choose} options={OPTIONS} />
      {custom && (
        <>
          <CustomFields {...custom} choosePeriod={choosePeriod} />
          <Button size="sm" variant="outline" onClick={() => chooseRange(range)}>
            <ArrowLeft aria-hidden />
            {texts.back(windows[range])}
          </Button>
        </>
      )}
      <Box ms={{ md: 'auto' }}>
        <Switch label={texts.compare} checked={isCompared} onChange={(event) => compare(event.target.checked)} />
      </Box>
    </Flex>
  );
});
