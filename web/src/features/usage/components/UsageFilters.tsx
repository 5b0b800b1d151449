import { Button, Flex, Text } from '@chakra-ui/react';
import type { Usage } from '../../../../../src/contracts/usage.ts';
import { FilterChip } from '../../../ui/FilterChip.tsx';
import { usageScreenTexts as texts } from '../screenTexts.ts';
import { FILTER_KINDS, type useUsageChoice } from './usageAddress.ts';
import { nameOfValue } from './usageCalls.ts';

type UsageFiltersProps = Pick<ReturnType<typeof useUsageChoice>, 'choice' | 'filterBy' | 'clearFilters'> & {
  users: Usage['users'];
  /** Whether the calls of the filters are still being counted. */
  isCounting: boolean;
};

/** The parts to which the calls are limited, each with a button that removes it. */
export const UsageFilters = ({ choice: { filter }, filterBy, clearFilters, users, isCounting }: UsageFiltersProps) => {
  const chosen = FILTER_KINDS.flatMap((kind) => {
    const value = filter[kind];
    return value === undefined ? [] : [{ kind, name: `${texts.filterKinds[kind]}: ${nameOfValue(kind, value, users)}` }];
  });
  if (chosen.length === 0) return null;
  return (
    <Flex align="center" gap="2" wrap="wrap" mb="4" className="no-print">
      <Flex asChild gap="2" wrap="wrap" minW="0" listStyleType="none">
        <ul aria-label={texts.filters}>
          {chosen.map(({ kind, name }) => (
            <li key={kind}>
              <FilterChip text={name} label={texts.removeFilter(name)} onRemove={() => filterBy(kind, '')} />
            </li>
          ))}
        </ul>
      </Flex>
      <Button size="sm" variant="ghost" onClick={clearFilters}>
        {texts.clearFilters}
      </Button>
      <Text role="status" textStyle="xs" color="fg.muted">
        {isCounting ? texts.counting : ''}
      </Text>
    </Flex>
  );
};
