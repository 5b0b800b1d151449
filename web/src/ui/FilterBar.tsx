import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { useEffect, useId, useRef, useState } from 'react';
import { format } from '../lib/format.ts';
import { Input } from './controls.tsx';
import { Search, X } from './icons.ts';

/** Debounce of typing. */
const TYPING_MS = 150;

type SearchFieldProps = { label: string; placeholder: string; value: string; onChange: (value: string) => void };

/** A search field whose value is kept elsewhere, such as in the address. `onChange` is debounced. */
export const SearchField = ({ label, placeholder, value, onChange }: SearchFieldProps) => {
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const search = typed.trim();
    if (search === reported.current) return;
    const timer = window.setTimeout(() => {
      reported.current = search;
      onChange(search);
    }, TYPING_MS);
    return () => window.clearTimeout(timer);
  }, [typed, onChange]);
  return (
    <Box position="relative" w={{ base: 'full', md: '320px' }} className="no-print">
      <Box
        asChild
        position="absolute"
        insetStart="3"
        top="50%"
        transform="translateY(-50%)"
        color="fg.subtle"
        pointerEvents="none"
        zIndex="1"
      >
        <Search size={15} aria-hidden />
      </Box>
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        ps="9"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Box>
  );
};

type DayFieldProps = { label: string; value: string; min?: string; max?: string; onChange: (day: string) => void };

/** A day of a range, `yyyy-mm-dd`; empty for none. `min` and `max` are the range's other end. */
export const DayField = ({ label, value, min, max, onChange }: DayFieldProps) => {
  const id = useId();
  return (
    <Flex align="center" gap="2">
      <chakra.label htmlFor={id} textStyle="sm" color="fg.muted">
        {label}
      </chakra.label>
      <Input
        id={id}
        type="date"
        value={value}
        {...(min && { min })}
        {...(max && { max })}
        onChange={(event) => onChange(event.target.value)}
      />
    </Flex>
  );
};

type FilterOption<Value extends string> = { value: Value; label: string; count?: number | undefined };

type FilterButtonsProps<Value extends string> = {
  label: string;
  options: readonly FilterOption<Value>[];
  value: Value;
  /** Given if the counts ended there, so that there may be more. */
  countedUpTo?: number | undefined;
  onChange: (value: Value) => void;
};

/** A choice of few options, as buttons side by side. */
export const FilterButtons = <Value extends string>({
  label,
  options,
  value,
  countedUpTo,
  onChange,
}: FilterButtonsProps<Value>) => (
  <Flex
    className="no-print"
    role="group"
    aria-label={label}
    bg="bg.muted"
    p="0.5"
    borderRadius="l2"
    gap="0.5"
    w={{ base: 'full', md: 'auto' }}
  >
    {options.map((option) => {
      const active = option.value === value;
      return (
        <Button
          key={option.value}
          size="xs"
          variant="ghost"
          flex={{ base: '1', md: 'none' }}
          borderRadius="sm"
          aria-pressed={active}
          onClick={() => onChange(option.value)}
          {...(active && { bg: 'bg.raised', color: 'fg', boxShadow: 'xs', _hover: { bg: 'bg.raised' } })}
        >
          {option.label}
          {option.count !== undefined && (
            <Text as="span" color={active ? 'fg.muted' : 'fg.subtle'} fontVariantNumeric="tabular-nums" hideBelow="sm">
              {format.counted(option.count, countedUpTo)}
            </Text>
          )}
        </Button>
      );
    })}
  </Flex>
);

/** A filter that came with a link, such as by a customer; removed by a click. */
export const FilterChip = ({ children, onRemove }: { children: string; onRemove: () => void }) => (
  <Button size="xs" variant="outline" aria-label={`Remove the filter ${children}`} onClick={onRemove}>
    {children}
    <X aria-hidden />
  </Button>
);
