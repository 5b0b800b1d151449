import { Box, Button, chakra, Flex, Spinner } from '@chakra-ui/react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { messageOf } from '../../../api/error.ts';
import type { Area } from '../../../areas.ts';
import { usePermission, usePermitted } from '../../../session/permissions.tsx';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Search, X } from '../../../ui/icons.ts';
import { Banner, Empty } from '../../../ui/states.tsx';
import { useHits } from '../api/search.ts';
import { searchTexts as texts } from '../texts.ts';
import {
  commandsIn,
  commandsNamed,
  customerActions,
  type IntegratorVerb,
  integratorActions,
  integratorVerbsIn,
  type SearchCommand,
  type Verb,
  verbIn,
  verbsIn,
  verbsNamed,
} from './actions.ts';
import { KeyHints } from './KeyHints.tsx';
import { OptionList } from './OptionList.tsx';
import { type Act, groupsOf, type Option, type SearchScreen, screensNamed, stepFrom } from './options.ts';

/** Debounce of typing. */
const TYPING_MS = 200;
const MAX_LENGTH = 200;

/** Whose customers an area searches. */
const managerOf = (area: Area): CustomerManager => (area === 'integrator' ? 'integrator' : 'admin');

/** The value once it has not changed for `TYPING_MS`. */
const useRested = (value: string): string => {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(value), TYPING_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return rested;
};

type SearchPanelProps = {
  area: Area;
  screens: readonly SearchScreen[];
  field: RefObject<HTMLInputElement | null>;
  onAct: (act: Exclude<Act, { kind: 'type' }>) => void;
  onClose: () => void;
};

/** A field and its results: a combobox with its list always open, by the ARIA authoring practices. */
export const SearchPanel = ({ area, screens, field, onAct, onClose }: SearchPanelProps) => {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [pointed, setPointed] = useState<string>();
  const term = typed.trim();
  const rested = useRested(term);
  const asked = term === '' ? '' : rested;
  const isSearched = usePermission('users:read') || area !== 'portal';
  const verbs = usePermitted<Verb>(verbsIn[area]);
  const integratorVerbs = usePermitted<IntegratorVerb>(integratorVerbsIn[area]);
  const commands = usePermitted<SearchCommand>(commandsIn[area]);
  const said = verbIn(verbs, integratorVerbs, asked);
  const { customers, integrators, users, isSearching, error, retry } = useHits(area, {
    search: said?.rest ?? asked,
    action: said && { customers: said.customer !== undefined, integrators: said.integrator !== undefined },
  });
  const onCustomers = (verb: Verb) =>
    customerActions(
      verb,
      customers.map(({ customer }) => customer),
      managerOf(area),
    );
  const onIntegrators = (verb: IntegratorVerb) =>
    integratorActions(
      verb,
      integrators.map(({ integrator }) => integrator),
    );
  const groups = groupsOf(
    said
      ? {
          actions: [
            ...(said.customer ? onCustomers(said.customer) : []),
            ...(said.integrator ? onIntegrators(said.integrator) : []),
          ],
          screens: [],
          customers: [],
          integrators: [],
          users: [],
        }
      : {
          actions: [...commandsNamed(commands, term), ...verbsNamed([...verbs, ...integratorVerbs], term)],
          screens: screensNamed(screens, term),
          customers,
          integrators,
          users,
        },
  );
  const options = groups.flatMap((group) => group.options);
  const active = options.find(({ key }) => key === pointed) ?? options[0];
  const isBusy = isSearching || (isSearched && asked !== term);
  const idOf = ({ key }: Option) => `${id}${key.replace(/\s/g, '-')}`;

  const type = (text: string) => {
    setTyped(text);
    setPointed(undefined);
  };
  const choose = ({ act }: Option) => (act.kind === 'type' ? type(act.text) : onAct(act));
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setPointed(stepFrom(options, active, 1)?.key);
    else if (event.key === 'ArrowUp') setPointed(stepFrom(options, active, -1)?.key);
    else if (event.key === 'Enter') {
      if (active) choose(active);
    } else return;
    event.preventDefault();
  };

  const nothing = options.length === 0 && !isBusy && !error;
  /** None of the newest customers fits the action. */
  const needsName = said?.rest === '';
  return (
    <>
      <Flex align="center" gap="3" ps="4" pe="2.5" h="14" borderBottomWidth="1px" borderColor="border" flexShrink="0">
        <Flex boxSize="4.5" align="center" justify="center" color="fg.subtle" flexShrink="0" aria-hidden>
          {isBusy ? <Spinner size="sm" /> : <Search size={18} />}
        </Flex>
        <chakra.input
          ref={field}
          role="combobox"
          aria-label={texts.title}
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={options.length > 0 ? id : undefined}
          aria-activedescendant={active && idOf(active)}
          placeholder={texts.placeholder[area]}
          value={typed}
          onChange={(event) => type(event.target.value)}
          onKeyDown={press}
          maxLength={MAX_LENGTH}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          flex="1"
          minW="0"
          h="full"
          bg="transparent"
          outline="0"
          fontSize="16px"
          _placeholder={{ color: 'fg.subtle', opacity: 1 }}
        />
        <Button variant="ghost" size="sm" px="0" aria-label={texts.close} onClick={onClose}>
          <X aria-hidden />
        </Button>
      </Flex>
      <Flex direction="column" flex="1" minH="0" overflowY="auto" px="2" py="3">
        {options.length > 0 && (
          <OptionList
            id={id}
            idOf={idOf}
            groups={groups}
            active={active}
            onPoint={({ key }) => setPointed(key)}
            onChoose={choose}
          />
        )}
        {nothing && (
          <Empty
            icon={said?.word.icon ?? Search}
            title={needsName ? `${said.word.text}…` : texts.nothing}
            hint={needsName ? texts.nameHint : texts.nothingHint[area]}
            height="220px"
          />
        )}
        {options.length === 0 && isBusy && (
          <Flex minH="220px" align="center" justify="center" textStyle="sm" color="fg.subtle">
            {texts.searching}
          </Flex>
        )}
        {error && (
          <Box px="2" pt="3">
            <Banner
              tone="error"
              action={
                <BusyButton size="xs" variant="outline" onClick={retry} isBusy={isBusy}>
                  {texts.retry}
                </BusyButton>
              }
            >
              {messageOf(error, texts.failed)}
            </Banner>
          </Box>
        )}
      </Flex>
      <Box role="status" srOnly>
        {isBusy
          ? texts.searching
          : nothing
            ? needsName
              ? texts.nameHint
              : texts.nothing
            : term !== '' && texts.found(options.length)}
      </Box>
      <KeyHints />
    </>
  );
};
