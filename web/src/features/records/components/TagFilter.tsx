import { Box } from '@chakra-ui/react';
import { type KeyboardEvent, useId, useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { Input } from '../../../ui/controls.tsx';
import { FilterChip } from '../../../ui/FilterBar.tsx';
import { recordsTexts as texts } from '../texts.ts';

/** The tags that the address filters a list of customers by, with commas between them; undefined for all customers. */
export const tagIn = (address: URLSearchParams): string | undefined => address.get('tag') || undefined;

const listOf = (tag: string | undefined): string[] => tag?.split(',') ?? [];

type TagFilterProps = {
  tag: string | undefined;
  /** The rows of the list, whose tags are suggested. */
  rows: readonly Customer[] | undefined;
  onChange: (changes: { tag: string }) => void;
};

/** Limits a list of customers to those that have each of some tags. */
export const TagFilter = ({ tag, rows = [], onChange }: TagFilterProps) => {
  const [typed, setTyped] = useState('');
  const id = useId();
  const chosen = listOf(tag);
  const suggested = [...new Set(rows.flatMap(({ tags = [] }) => tags))].filter((known) => !chosen.includes(known)).sort();
  const add = (added: string) => {
    setTyped('');
    if (added !== '' && !chosen.includes(added)) onChange({ tag: [...chosen, added].join(',') });
  };
  const onType = (value: string) => (suggested.includes(value) ? add(value) : setTyped(value));
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') add(typed.replaceAll(',', ' ').trim().toLowerCase());
  };
  return (
    <>
      <Box w={{ base: 'full', md: '160px' }}>
        <Input
          aria-label={texts.filter}
          placeholder={texts.filter}
          list={id}
          value={typed}
          onChange={({ target }) => onType(target.value)}
          onKeyDown={onKeyDown}
        />
        <datalist id={id}>
          {suggested.map((known) => (
            <option key={known} value={known} />
          ))}
        </datalist>
      </Box>
      {chosen.map((one) => (
        <FilterChip key={one} onRemove={() => onChange({ tag: chosen.filter((other) => other !== one).join(',') })}>
          {texts.withTag(one)}
        </FilterChip>
      ))}
    </>
  );
};
