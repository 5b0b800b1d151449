import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CustomersReply } from '../../../../../src/contracts/customers.ts';
import { api } from '../../../api/client.ts';
import { type CustomerManager, customersPath } from '../../../api/customersPath.ts';
import { tenantFilterTexts as texts } from '../texts.ts';
import { SearchFilter } from './SearchFilter.tsx';

/** Number of suggestions; a search finds the others. */
const MAX_CHOICES = 20;

/** Below no topic on purpose: recorded calls change customers, but not their names. */
const choicesQuery = (manager: CustomerManager, search: string) =>
  queryOptions({
    queryKey: ['choices of customers', manager, search],
    queryFn: ({ signal }) =>
      api.get<CustomersReply>(customersPath[manager], {
        query: { search, sort: 'name', limit: MAX_CHOICES },
        signal,
        fallback: texts.customersFailed,
      }),
    placeholderData: keepPreviousData,
  });

const choicesOf = ({ customers, total }: CustomersReply) => ({
  options: customers.map(({ id, name }) => ({ value: id, label: name })),
  total,
});

type CustomerFilterProps = {
  manager: CustomerManager;
  /** Empty for all customers. */
  customerId: string;
  /** The name of the customer, where the list has it. */
  found: string | null | undefined;
  onChange: (customerId: string) => void;
};

/** Limits a list to one customer, which is searched by name. */
export const CustomerFilter = ({ manager, customerId, found, onChange }: CustomerFilterProps) => (
  <SearchFilter
    texts={texts.customer}
    value={customerId}
    found={found}
    queryOf={(search) => choicesQuery(manager, search)}
    choicesOf={choicesOf}
    onChange={onChange}
  />
);
