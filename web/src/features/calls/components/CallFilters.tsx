import { Box, Button, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import type { RecordedCallEntry } from '../../../../../src/contracts/calls.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { Input, Select } from '../../../ui/controls.tsx';
import { FilterButtons } from '../../../ui/FilterBar.tsx';
import { CustomerFilter, IntegratorFilter, UserFilter } from '../../tenantFilters/index.ts';
import { type CallFilter, callSourcesQuery } from '../api/calls.ts';
import { callTexts } from '../texts.ts';
import { type CallFields, NO_FILTERS, OUTCOMES, RANGES } from './callFilter.ts';

const { filters: texts, outcomes, services } = callTexts;

type Change = (changes: Readonly<Record<string, string>>) => void;

type TextFilterProps = {
  label: string;
  value: string;
  width: string;
  isNumber?: boolean;
  /** Values that can be chosen, and whose they are; any other can be typed. */
  suggestions?: readonly string[];
  hint?: string;
  onChange: (value: string) => void;
  onType?: (typed: string) => void;
};

/** A value that calls must have exactly. It applies when a suggestion is chosen, when the field is left, or with Enter. */
const TextFilter = ({
  label,
  value,
  width,
  isNumber = false,
  suggestions,
  hint = texts.suggested,
  onChange,
  onType,
}: TextFilterProps) => {
  const list = useId();
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
        {...(suggestions && { title: hint, 'aria-description': hint })}
        {...(isNumber && { inputMode: 'numeric' as const })}
        {...(suggestions && { list })}
        onChange={({ target, nativeEvent }) => {
          setTyped(target.value);
          onType?.(target.value);
          // A suggestion replaces the text, or has no kind of input at all; typed text is not complete yet.
          const isChosen = !(nativeEvent instanceof InputEvent) || nativeEvent.inputType === 'insertReplacementText';
          if (isChosen && suggestions?.includes(target.value)) onChange(target.value);
        }}
        onFocus={() => onType?.(typed)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
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
  /** The calls that were found, for the names of what the filter names by ids, and for suggestions. */
  found: readonly RecordedCallEntry[];
  fields: CallFields;
  /** Where the sources of the customer are; null for calls of several customers, and of one user. */
  sources: string | null;
  change: Change;
};

/** Whose calls are listed. */
const TenantFilters = ({ filter, found, fields: { area, hasUsers }, change }: Omit<CallFiltersProps, 'sources'>) => {
  const [first] = found;
  const { customerId, serviceIntegratorId, userId } = filter;
  return (
    <>
      {area === 'admin' && (
        <Allowed to="integrators:read">
          <IntegratorFilter integratorId={serviceIntegratorId} onChange={(integrator) => change({ integrator })} />
        </Allowed>
      )}
      {area !== 'portal' && (
        <Allowed to="customers:read">
          <CustomerFilter
            manager={area}
            customerId={customerId}
            found={customerId === '' ? null : first?.customer.name}
            onChange={(customer) => change({ customer, user: '' })}
          />
        </Allowed>
      )}
      {hasUsers && (
        <Allowed to="users:read">
          <UserFilter
            area={area}
            customerId={customerId}
            userId={userId}
            found={userId === '' ? null : first?.user.username}
            onChange={(user) => change({ user })}
          />
        </Allowed>
      )}
    </>
  );
};

const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** Suggests the sources of the customer, where the calls are those of one, else those of the listed calls. */
const SourceFilter = ({ filter, found, sources, change }: Omit<CallFiltersProps, 'fields'>) => {
  const [typed, setTyped] = useState<string>();
  const { data } = useQuery({
    ...callSourcesQuery(sources ?? '', typed?.trim() ?? ''),
    enabled: sources !== null && typed !== undefined,
  });
  return (
    <TextFilter
      label={texts.source}
      value={filter.sourceId}
      width="190px"
      suggestions={sources === null ? distinct(found.map(({ sourceId }) => sourceId)) : (data?.sources ?? [])}
      {...(sources !== null && { hint: texts.suggestedSources })}
      onType={setTyped}
      onChange={(source) => change({ source })}
    />
  );
};

/** The filters of a list of calls, which its address has. */
export const CallFilters = ({ filter, found, fields, sources, change }: CallFiltersProps) => {
  const [isOpen, setOpen] = useState(false);
  const more = useId();
  return (
    <Flex px={{ base: '4', md: '5' }} py="3.5" gap="3" align="center" wrap="wrap">
      <FilterButtons
        label={texts.outcome}
        value={filter.outcome ?? 'all'}
        onChange={(outcome) => change({ outcome: outcome === 'all' ? '' : outcome })}
        options={OUTCOMES.map((value) => ({ value, label: outcomes[value] }))}
      />
      <Button
        hideFrom="md"
        variant="outline"
        size="sm"
        w="full"
        aria-expanded={isOpen}
        aria-controls={more}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? texts.fewer : texts.more}
      </Button>
      <Box id={more} display={{ base: isOpen ? 'contents' : 'none', md: 'contents' }}>
        <Box w={{ base: 'full', md: '160px' }}>
          <Select
            aria-label={texts.service}
            value={filter.service ?? ''}
            onChange={({ target }) => change({ service: target.value })}
          >
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
        <TenantFilters filter={filter} found={found} fields={fields} change={change} />
        <TextFilter
          label={texts.operation}
          value={filter.operation}
          width="190px"
          suggestions={distinct(found.map(({ operation }) => operation))}
          onChange={(operation) => change({ operation })}
        />
        <TextFilter
          label={texts.instanceUrl}
          value={filter.instanceUrl}
          width="220px"
          suggestions={distinct(found.map(({ instanceUrl }) => instanceUrl))}
          onChange={(instance) => change({ instance })}
        />
        <SourceFilter filter={filter} found={found} sources={sources} change={change} />
        <TextFilter label={texts.status} value={filter.status} width="90px" onChange={(status) => change({ status })} />
        <TextFilter
          label={texts.minDurationMs}
          value={filter.minDurationMs}
          width="160px"
          isNumber
          onChange={(slower) => change({ slower })}
        />
        <Box w={{ base: 'full', md: '160px' }}>
          <Select
            aria-label={texts.range}
            value={filter.range ?? ''}
            onChange={({ target }) => change({ window: target.value, from: '', to: '' })}
          >
            <option value="">{filter.from === '' && filter.to === '' ? texts.allTime : texts.custom}</option>
            {RANGES.map((range) => (
              <option key={range} value={range}>
                {texts.ranges[range]}
              </option>
            ))}
          </Select>
        </Box>
        <MomentField label={texts.from} value={filter.from} onChange={(from) => change({ window: '', from })} />
        <MomentField label={texts.to} value={filter.to} onChange={(to) => change({ window: '', to })} />
        {(filter.receivedFrom !== '' || filter.receivedTo !== '') && (
          <>
            <MomentField
              label={texts.receivedFrom}
              value={filter.receivedFrom}
              onChange={(receivedFrom) => change({ receivedFrom })}
            />
            <MomentField label={texts.receivedTo} value={filter.receivedTo} onChange={(receivedTo) => change({ receivedTo })} />
          </>
        )}
      </Box>
      {Object.values(filter).some((value) => value !== '' && value !== undefined) && (
        <Button variant="ghost" size="sm" onClick={() => change(NO_FILTERS)}>
          {texts.clear}
        </Button>
      )}
    </Flex>
  );
};
