import { Box, chakra, Text } from '@chakra-ui/react';
import { type KeyboardEvent, type Ref, useEffect, useId, useState } from 'react';
import { Input } from './controls.tsx';

/** Debounce of typing. */
const TYPING_MS = 150;

type SearchOption = { value: string; label: string };

/** The properties of a field that selects one of many options by search. */
export type SearchSelectProps = {
  /** The value of the chosen option; empty for none. */
  value: string;
  onChange: (value: string, label: string) => void;
  /** The name of the first value, where the options may not have it. */
  valueLabel?: string | undefined;
  /** The name of the field and of the list. */
  label: string;
  name?: string;
  ref?: Ref<HTMLInputElement>;
  onBlur?: () => void;
  placeholder: string;
  /** The results of the last search. */
  options: readonly SearchOption[];
  isSearching: boolean;
  onSearch: (text: string) => void;
  /** Shown when nothing was found, and below a truncated list. */
  texts: { none: string; searching: string; more: (count: number) => string };
  /** Matches that the list does not show. */
  more: number;
};

/**
 * A choice of many options, searched on the server: a combobox with a list, by the ARIA authoring practices. The field's value is
 * that of the chosen option. Other text is no value, and leaving the field restores the choice.
 */
export const SearchSelect = ({
  value,
  onChange,
  valueLabel,
  label,
  name,
  ref,
  onBlur,
  placeholder,
  options,
  isSearching,
  onSearch,
  texts,
  more,
}: SearchSelectProps) => {
  const list = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<SearchOption>();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const active = options[Math.min(at, options.length - 1)];
  const idOf = ({ value }: SearchOption) => `${list}-${value}`;

  const wanted = chosen?.label === typed ? '' : typed.trim();
  const [sent, setSent] = useState('');
  /** The list may still be that of an earlier text. */
  const isPending = isSearching || wanted !== sent;

  useEffect(() => {
    const timer = window.setTimeout(() => {
      setSent(wanted);
      onSearch(wanted);
    }, TYPING_MS);
    return () => window.clearTimeout(timer);
  }, [wanted, onSearch]);

  // A dialog listens for Escape on the document, before any element inside it: the list must close first.
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setOpen(false);
    };
    window.addEventListener('keydown', close, { capture: true });
    return () => window.removeEventListener('keydown', close, { capture: true });
  }, [isOpen]);

  // The field may start with a value, whose name is in the first results or given.
  const initial =
    chosen === undefined && typed === '' && value
      ? (options.find((option) => option.value === value) ?? (valueLabel ? { value, label: valueLabel } : undefined))
      : undefined;
  if (initial) {
    setChosen(initial);
    setTyped(initial.label);
  }

  const choose = (option: SearchOption) => {
    setChosen(option);
    setTyped(option.label);
    setOpen(false);
    onChange(option.value, option.label);
  };
  const type = (text: string) => {
    setTyped(text);
    setAt(0);
    setOpen(true);
    if (text !== '') return;
    setChosen(undefined);
    onChange('', '');
  };
  const leave = () => {
    setTyped(chosen?.label ?? '');
    setOpen(false);
    onBlur?.();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (isOpen && options.length > 0) setAt((at + step + options.length) % options.length);
      setOpen(true);
    } else if (event.key === 'Enter' && isOpen) {
      if (active && !isPending) choose(active);
    } else return;
    event.preventDefault();
  };

  return (
    <Box position="relative" width="full">
      <Input
        ref={ref}
        name={name}
        aria-label={label}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen && active ? idOf(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={leave}
        onKeyDown={press}
      />
      {isOpen && (
        <Box
          position="absolute"
          zIndex="dropdown"
          insetX="0"
          top="calc(100% + 4px)"
          maxH="232px"
          overflowY="auto"
          p="1"
          bg="bg.panel"
          borderWidth="1px"
          borderColor="border"
          borderRadius="l2"
          boxShadow="md"
          // The focus stays in the field.
          onMouseDown={(event) => event.preventDefault()}
        >
          <div id={list} role="listbox" aria-label={label} aria-busy={isPending}>
            {options.map((option) => (
              <chakra.div
                key={option.value}
                id={idOf(option)}
                role="option"
                aria-selected={option.value === value}
                px="2.5"
                py="2"
                borderRadius="sm"
                cursor="pointer"
                textStyle="sm"
                overflowWrap="anywhere"
                bg={option === active ? 'bg.muted' : 'transparent'}
                fontWeight={option.value === value ? 'semibold' : 'normal'}
                onPointerMove={() => setAt(options.indexOf(option))}
                onClick={() => choose(option)}
              >
                {option.label}
              </chakra.div>
            ))}
          </div>
          {(options.length === 0 || more > 0) && (
            <Text role="status" px="2.5" py="2" textStyle="xs" color="fg.muted">
              {options.length > 0 ? texts.more(more) : isPending ? texts.searching : texts.none}
            </Text>
          )}
        </Box>
      )}
    </Box>
  );
};
