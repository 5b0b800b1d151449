import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { type SubmitEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { usePreference } from '../lib/preferences.ts';
import { FieldFrame, Input } from './controls.tsx';
import { Trash2 } from './icons.ts';

const texts = {
  title: 'Saved filters',
  none: 'No saved filters yet. Filter or sort the list, then save it here.',
  name: 'Name of the current filter',
  save: 'Save',
  remove: (name: string): string => `Delete the saved filter ${name}`,
  full: (limit: number): string => `You can save ${limit} filters. Delete one first.`,
} as const;

const MAX_NAME = 60;
const MAX_SAVED = 20;

type Saved = Readonly<{ name: string; search: string }>;

const isSaved = (value: unknown): value is Saved =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'search' in value &&
  typeof value.search === 'string';

const acceptSaved = (stored: unknown): readonly Saved[] =>
  Array.isArray(stored) ? stored.filter(isSaved).slice(0, MAX_SAVED) : [];

/** What an address filters and sorts by, without the page. */
const filterIn = (search: string): string => {
  const address = new URLSearchParams(search);
  address.delete('cursor');
  return address.toString();
};

type SaveFormProps = { saved: readonly Saved[]; current: string; onSave: (saved: readonly Saved[]) => void };

const SaveForm = ({ saved, current, onSave }: SaveFormProps) => {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const others = saved.filter((one) => one.name !== name);
  const isFull = others.length >= MAX_SAVED;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (name === '' || isFull) return;
    onSave([...others, { name, search: current }]);
    setTyped('');
  };
  return (
    <chakra.form display="flex" alignItems="flex-end" gap="2" onSubmit={submit}>
      <FieldFrame label={texts.name} isRequired error={isFull ? texts.full(MAX_SAVED) : undefined}>
        <Input autoComplete="off" maxLength={MAX_NAME} value={typed} onChange={({ target }) => setTyped(target.value)} />
      </FieldFrame>
      <Button type="submit" colorPalette="brand" disabled={name === '' || isFull}>
        {texts.save}
      </Button>
    </chakra.form>
  );
};

type SavedFilterListProps = {
  /** The list that they belong to. */
  list: string;
  close: () => void;
};

/** The filters that the user saved for a list, by name. The browser remembers them; the address has the one in use. */
export const SavedFilterList = ({ list, close }: SavedFilterListProps) => {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [saved, setSaved] = usePreference(`filters.${list}`, acceptSaved);
  const current = filterIn(search);
  return (
    <Flex direction="column" gap="3" align="stretch">
      {saved.length === 0 && (
        <Text textStyle="sm" color="fg.muted">
          {texts.none}
        </Text>
      )}
      <Flex as="ul" listStyleType="none" direction="column" gap="1" aria-label={texts.title}>
        {saved.map((one) => (
          <Flex as="li" key={one.name} gap="1">
            <Button
              flex="1"
              minW="0"
              size="sm"
              variant="ghost"
              justifyContent="flex-start"
              aria-current={one.search === current ? 'true' : undefined}
              onClick={() => {
                void navigate({ search: one.search });
                close();
              }}
            >
              <Box as="span" truncate title={one.name}>
                {one.name}
              </Box>
            </Button>
            <Button
              size="sm"
              variant="ghost"
              px="0"
              aria-label={texts.remove(one.name)}
              onClick={() => setSaved(saved.filter((other) => other !== one))}
            >
              <Trash2 aria-hidden />
            </Button>
          </Flex>
        ))}
      </Flex>
      {current !== '' && <SaveForm saved={saved} current={current} onSave={setSaved} />}
    </Flex>
  );
};
