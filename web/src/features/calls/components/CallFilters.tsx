import { Box, Button, Flex } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import type { RecordedCallEntry } from '../../../../../src/contracts/calls.ts';
import { Input, Select } from '../../../ui/controls.tsx';
import { FilterButtons } from '../../../ui/FilterBar.tsx';
import { X } from '../../../ui/icons.ts';
import type { CallFilter } from '../api/calls.ts';
import { callTexts } from '../texts.ts';
import { NO_FILTERS, OUTCOMES } from './callFilter.ts';

const { filters: texts, outcomes, services } = callTexts;

type Change = (changes: Readonly<Record<string, string>>) => void;

type TextFilterProps = { label: string; value: string; width: string; isNumber?: boolean; onChange: (value: string) => void };

/** A value that calls must have exactly. It applies when the field is left, or with Enter. */
const TextFilter = ({ label, value, width, isNumber = false, onChange }: TextFilterProps) => {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const apply = () => {
    if (typed.trim() !== value) onChange(typed.trim());
  };
  return (
    <Box w={{ base: 'full', md: width }}>
      <Input
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={2048}
        {...(isNumber && { inputMode: 'numeric' as const })}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </Box>
  );
};

const two = (value: number): string => String(value).padStart(2, '0');

/** A moment as a field shows it: in the browser's time zone, to the second. */
const localOf = (moment: string): string => {
  if (moment === '') return '';
  const at = new Date(moment);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
};

const MomentField = ({ label, value, onChange }: { label: string; value: string; onChange: (moment: string) => void }) => (
  <Flex align="center" gap="2" w={{ base: 'full', md: 'auto' }}>
    <Box as="span" textStyle="sm" color="fg.muted" aria-hidden minW="10">
      {label}
    </Box>
    <Input
      type="datetime-local"
      step={1}
      aria-label={label}
      value={localOf(value)}
      onChange={({ target }) => onChange(target.value === '' ? '' : new Date(target.value).toISOString())}
    />
  </Flex>
);

type CallFiltersProps = {
  filter: CallFilter;
  /** One of the calls that were found, for the names of what the filter names by ids. */
  found: RecordedCallEntry | undefined;
  change: Change;
};

/** Filters that are chosen from a call, or come with a link. */
const Chips = ({ filter, found, change }: CallFiltersProps) => {
  const chips = (
    [
      [texts.customer, 'customer', filter.customerId, found?.customer.name],
      [texts.integrator, 'integrator', filter.serviceIntegratorId, null],
      [texts.user, 'user', filter.userId, found?.user.username],
      [texts.source, 'source', filter.sourceId, filter.sourceId],
    ] as const
  ).filter(([, , value]) => value !== '');
  if (chips.length === 0) return null;
  return (
    <Flex as="ul" listStyleType="none" aria-label={texts.active} gap="2" wrap="wrap" w="full">
      {chips.map(([label, name, , shown]) => (
        <li key={name}>
          <Button
            size="xs"
            variant="outline"
            aria-label={texts.remove(shown ? `${label} ${shown}` : label)}
            onClick={() => change({ [name]: '' })}
          >
            {`${label}: ${shown ?? texts.chosen}`}
            <X aria-hidden />
          </Button>
        </li>
      ))}
    </Flex>
  );
};

/** The filters of a list of calls, which its address has. */
export const CallFilters = ({ filter, found, change }: CallFiltersProps) => (
  <Flex px={{ base: '4', md: '5' }} py="3.5" gap="3" align="center" wrap="wrap">
    <FilterButtons
      label={texts.outcome}
      value={filter.outcome ?? 'all'}
      onChange={(outcome) => change({ outcome: outcome === 'all' ? '' : outcome })}
      options={OUTCOMES.map((value) => ({ value, label: outcomes[value] }))}
    />
    <Box w={{ base: 'full', md: '160px' }}>
      <Select aria-label={texts.service} value={filter.service ?? ''} onChange={({ target }) => change({ service: target.value })}>
        <option value="">{texts.allServices}</option>
        {Object.entries(services).map(([service, label]) => (
          <option key={service} value={service}>
            {label}
          </option>
        ))}
      </Select>
    </Box>
    <Box w={{ base: 'full', md: '160px' }}>
      <Select
        aria-label={texts.entitlement}
        value={filter.entitlement ?? ''}
        onChange={({ target }) => change({ entitlement: target.value })}
      >
        <option value="">{texts.anyLicense}</option>
        <option value="included">{texts.included}</option>
        <option value="not_included">{texts.notIncluded}</option>
      </Select>
    </Box>
    <TextFilter label={texts.operation} value={filter.operation} width="190px" onChange={(operation) => change({ operation })} />
    <TextFilter label={texts.instanceUrl} value={filter.instanceUrl} width="220px" onChange={(instance) => change({ instance })} />
    <TextFilter label={texts.status} value={filter.status} width="90px" onChange={(status) => change({ status })} />
    <TextFilter
      label={texts.minDurationMs}
      value={filter.minDurationMs}
      width="160px"
      isNumber
      onChange={(slower) => change({ slower })}
    />
    <MomentField label={texts.from} value={filter.from} onChange={(from) => change({ from })} />
    <MomentField label={texts.to} value={filter.to} onChange={(to) => change({ to })} />
    {Object.values(filter).some((value) => value !== '' && value !== undefined) && (
      <Button variant="ghost" size="sm" onClick={() => change(NO_FILTERS)}>
        {texts.clear}
      </Button>
    )}
    <Chips filter={filter} found={found} change={change} />
  </Flex>
);
