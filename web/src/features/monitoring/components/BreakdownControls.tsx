import { Box, chakra, Flex } from '@chakra-ui/react';
import { memo, useId } from 'react';
import { Select } from '../../../ui/controls.tsx';
import { FilterChip } from '../../../ui/FilterChip.tsx';
import type { Drawing } from '../api/charts.ts';
import { shownValue } from '../api/parts.ts';
import { type ChartChoices, type ChartView, DIMENSIONS } from '../api/period.ts';
import { monitoringTexts } from '../texts.ts';

const { parts: texts } = monitoringTexts;

type ControlsProps = { view: ChartView; names: Drawing['names'] } & Pick<ChartChoices, 'divide' | 'removeFilter'>;

/** What the calls are divided by, and the filters, each with a button that removes it. */
export const BreakdownControls = memo(({ view, names, divide, removeFilter }: ControlsProps) => {
  const id = useId();
  const filters = DIMENSIONS.flatMap((dimension) => {
    const value = view.filter[dimension];
    return value === undefined ? [] : [{ dimension, value }];
  });
  return (
    <Flex align="center" columnGap="3" rowGap="2" wrap="wrap" mt="3">
      <chakra.label htmlFor={id} textStyle="sm" color="fg.muted">
        {texts.by}
      </chakra.label>
      <Box w="44">
        <Select
          id={id}
          value={view.by ?? ''}
          onChange={({ target: { value } }) => divide(DIMENSIONS.find((dimension) => dimension === value) ?? '')}
        >
          <option value="">{texts.undivided}</option>
          {DIMENSIONS.map((dimension) => (
            <option key={dimension} value={dimension}>
              {texts.dimensions[dimension]}
            </option>
          ))}
        </Select>
      </Box>
      {filters.length > 0 && (
        <Flex asChild gap="2" wrap="wrap" minW="0" listStyleType="none">
          <ul aria-label={texts.filters}>
            {filters.map(({ dimension, value }) => {
              const shown = `${texts.dimensions[dimension]}: ${shownValue(dimension, value, names)}`;
              return (
                <li key={dimension}>
                  <FilterChip text={shown} label={texts.remove(shown)} onRemove={() => removeFilter(dimension)} />
                </li>
              );
            })}
          </ul>
        </Flex>
      )}
    </Flex>
  );
});
