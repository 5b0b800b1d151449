import { Box } from '@chakra-ui/react';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SearchSelect, type SearchSelectProps } from '../../../ui/SearchSelect.tsx';
import { tenantFilterTexts } from '../texts.ts';

type Choices = Pick<SearchSelectProps, 'options'> & { total: number };

type SearchFilterProps<Reply, Key extends QueryKey> = {
  /** The texts of the field. `chosen` stands for a value whose name is not known. */
  texts: { label: string; all: string; chosen: string; none: string };
  /** Empty for all. */
  value: string;
  /** The name of the value, where the list that is filtered has it. */
  found: string | null | undefined;
  queryOf: (search: string) => UseQueryOptions<Reply, Error, Reply, Key>;
  choicesOf: (reply: Reply) => Choices;
  onChange: (value: string) => void;
};

/** Limits a list to one of many things, which is searched by name. Clearing the text removes the filter. */
export const SearchFilter = <Reply, Key extends QueryKey>({
  texts: { label, all, chosen: unnamed, none },
  value,
  found,
  queryOf,
  choicesOf,
  onChange,
}: SearchFilterProps<Reply, Key>) => {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState({ value: '', label: '' });
  const { data, isFetching } = useQuery(queryOf(search));
  const { options, total } = data === undefined ? { options: [], total: 0 } : choicesOf(data);
  const name =
    chosen.value === value && chosen.label !== ''
      ? chosen.label
      : (found ?? options.find((option) => option.value === value)?.label ?? unnamed);
  return (
    <Box w={{ base: 'full', md: '220px' }}>
      <SearchSelect
        key={`${value} ${name}`}
        label={label}
        placeholder={all}
        value={value}
        valueLabel={value === '' ? undefined : name}
        options={options}
        more={total - options.length}
        isSearching={isFetching}
        onSearch={setSearch}
        onChange={(next, nextLabel) => {
          setChosen({ value: next, label: nextLabel });
          onChange(next);
        }}
        texts={{ ...tenantFilterTexts.search, none }}
      />
    </Box>
  );
};
