import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { useEffect, useId, useMemo, useState } from 'react';
import { DEFAULT_USAGE_RANGE, USAGE_RANGES } from '../../../../../src/domain/limits.ts';
import { format } from '../../../lib/format.ts';
import { Select } from '../../../ui/controls.tsx';
import { DayField, FilterButtons } from '../../../ui/FilterBar.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import type { CustomRange } from '../api/choice.ts';
import { usageScreenTexts as texts } from '../screenTexts.ts';
import { faultOf, type useUsageChoice } from './usageAddress.ts';

const OPTIONS = [
  ...USAGE_RANGES.map((range) => ({ value: String(range), label: texts.days(range) })),
  { value: 'custom', label: texts.custom },
];

/** Both days of a custom range. It is applied when it is valid. */
export const CustomRangeFields = ({ range, onChange }: { range: CustomRange; onChange: (range: CustomRange) => void }) => {
  const [typed, setTyped] = useState(range);
  const { from, to } = range;
  useEffect(() => setTyped({ from, to }), [from, to]);
  const fault = faultOf(typed);
  const change = (next: CustomRange): void => {
    setTyped(next);
    if (faultOf(next) === null) onChange(next);
  };
  return (
    <>
      <DayField label={texts.from} value={typed.from} max={typed.to} onChange={(day) => change({ ...typed, from: day })} />
      <DayField label={texts.to} value={typed.to} min={typed.from} onChange={(day) => change({ ...typed, to: day })} />
      <Text aria-live="polite" textStyle="xs" color="fg.error" _empty={{ display: 'none' }}>
        {fault && texts.faults[fault]}
      </Text>
    </>
  );
};

/** The zone of the browser and UTC first, then all others. */
const zonesWith = (zone: string): string[] => [...new Set([format.zone, 'UTC', zone, ...Intl.supportedValuesOf('timeZone')])];

const ZoneField = ({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) => {
  const id = useId();
  const zones = useMemo(() => zonesWith(zone), [zone]);
  return (
    <Flex align="center" gap="2">
      <chakra.label htmlFor={id} textStyle="sm" color="fg.muted" whiteSpace="nowrap">
        {texts.zone}
      </chakra.label>
      <Box w={{ base: 'full', md: '230px' }}>
        <Select id={id} value={zone} onChange={(event) => onChange(event.target.value)}>
          {zones.map((name) => (
            <option key={name} value={name}>
              {name === format.zone ? texts.yourZone(name) : name}
            </option>
          ))}
        </Select>
      </Box>
    </Flex>
  );
};

type ControlsProps = ReturnType<typeof useUsageChoice> & {
  /** The days that are shown, with which a custom range begins. */
  shown: CustomRange | undefined;
};

/** The range, the time zone and the comparison of a usage screen. */
export const RangeControls = ({ choice, shown, chooseDays, chooseCustom, chooseZone, compare }: ControlsProps) => {
  const { days, custom, zone, isCompared } = choice;
  const choose = (value: string): void => {
    if (value !== 'custom') chooseDays(USAGE_RANGES.find((range) => String(range) === value) ?? DEFAULT_USAGE_RANGE);
    else if (!custom && shown) chooseCustom(shown);
  };
  return (
    <Flex align="center" columnGap="4" rowGap="2" wrap="wrap" mb="4" className="no-print">
      <FilterButtons label={texts.range} value={custom ? 'custom' : String(days)} onChange={choose} options={OPTIONS} />
      {custom && <CustomRangeFields range={custom} onChange={chooseCustom} />}
      <ZoneField zone={zone} onChange={chooseZone} />
      <Box ms={{ md: 'auto' }}>
        <Switch label={texts.compare} checked={isCompared} onChange={(event) => compare(event.target.checked)} />
      </Box>
    </Flex>
  );
};
