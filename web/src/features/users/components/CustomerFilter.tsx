import { Box } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomersReply } from '../../../../../src/contracts/customers.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { type CustomerManager, customersPath } from '../../../api/customersPath.ts';
import { SearchSelect } from '../../../ui/SearchSelect.tsx';
import { userTexts } from '../texts.ts';

/** Number of suggestions; a search finds the others. */
const MAX_CHOICES = 20;

const choicesQuery = (manager: CustomerManager, search: string) => ({
  queryKey: [...topic.customers(), 'choices', search],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.get<CustomersReply>(customersPath[manager], {
      query: { search, sort: 'name', limit: MAX_CHOICES },
      signal,
      fallback: userTexts.customersFailed,
    }),
  placeholderData: keepPreviousData,
});

type CustomerFilterProps = {
  manager: CustomerManager;
  /** Empty for all customers. */
  customerId: string;
  /** The name of the customer, where a user in the list has it. */
  found: string | undefined;
  onChange: (customerId: string) => void;
};

/** Limits a list of users to those of one customer, which is searched by name. Clearing the text removes the filter. */
export const CustomerFilter = ({ manager, customerId, found, onChange }: CustomerFilterProps) => {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState({ value: '', label: '' });
  const { data, isFetching } = useQuery(choicesQuery(manager, search));
  const customers = data?.customers ?? [];
  const label = chosen.value === customerId && chosen.label !== '' ? chosen.label : (found ?? userTexts.chosenCustomer);
  return (
    <Box w={{ base: 'full', md: '220px' }}>
      <SearchSelect
        key={`${customerId} ${label}`}
        label={userTexts.customerFilter}
        placeholder={userTexts.allCustomers}
        value={customerId}
        valueLabel={customerId === '' ? undefined : label}
        options={customers.map(({ id, name }) => ({ value: id, label: name }))}
        more={(data?.total ?? customers.length) - customers.length}
        isSearching={isFetching}
        onSearch={setSearch}
        onChange={(value, name) => {
          setChosen({ value, label: name });
          onChange(value);
        }}
        texts={userTexts.customerSearch}
      />
    </Box>
  );
};
