import { Box, SimpleGrid } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Select } from '../../../ui/controls.tsx';
import { DayField, SearchField } from '../../../ui/FilterBar.tsx';
import type { HistoryKind } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';
import type { TypedFilter } from './filter.ts';

const actorsOf = {
  customer: ['admin', 'integrator', 'customer', 'user', 'system'],
  integrator: ['admin', 'integrator', 'system'],
  administration: ['admin', 'system'],
} as const satisfies Record<HistoryKind, readonly (keyof typeof texts.actors)[]>;

type HistoryFiltersProps = {
  kind: HistoryKind;
  typed: TypedFilter;
  /** The options of the named users. */
  members: ReactNode;
  onChange: (changes: Partial<TypedFilter>) => void;
  onSearch: (search: string) => void;
};

/** The filters of the history. */
export const HistoryFilters = ({ kind, typed, members, onChange, onSearch }: HistoryFiltersProps) => (
  <SimpleGrid columns={{ base: 2, xl: 5 }} gap="3" px={{ base: '4', md: '5' }} pb="4">
    <Box gridColumn={{ base: 'span 2', xl: 'span 1' }} css={{ '& > div': { width: '100%' } }}>
      <SearchField label={texts.search} placeholder={texts.searchHint} value={typed.search} onChange={onSearch} />
    </Box>
    <Select aria-label={texts.type} value={typed.type} onChange={(event) => onChange({ type: event.target.value })}>
      <option value="">{texts.allTypes}</option>
      {Object.entries(texts.groups[kind]).map(([group, types]) => (
        <optgroup key={group} label={group}>
          {Object.entries(types).map(([type, label]) => (
            <option key={type} value={type}>
              {label}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
    <Select aria-label={texts.actor} value={typed.actor} onChange={(event) => onChange({ actor: event.target.value })}>
      <option value="">{texts.allActors}</option>
      {actorsOf[kind].map((actor) => (
        <option key={actor} value={actor}>
          {texts.actors[actor]}
        </option>
      ))}
      {members && <optgroup label={texts.namedUsers}>{members}</optgroup>}
    </Select>
    <Box gridColumn={{ base: 'span 2', md: 'span 1' }}>
      <DayField label={texts.from} value={typed.from} max={typed.to} onChange={(from) => onChange({ from })} />
    </Box>
    <Box gridColumn={{ base: 'span 2', md: 'span 1' }}>
      <DayField label={texts.to} value={typed.to} min={typed.from} onChange={(to) => onChange({ to })} />
    </Box>
  </SimpleGrid>
);
