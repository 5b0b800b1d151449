import { Box, Button, Flex } from '@chakra-ui/react';
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react';
import type { AuditReply } from '../../../../../src/contracts/audit.ts';
import { useListAddress } from '../../../lib/listAddress.ts';
import { Select } from '../../../ui/controls.tsx';
import { DayField, FilterButtons, SearchField } from '../../../ui/FilterBar.tsx';
import { ChevronDown, X } from '../../../ui/icons.ts';
import { historyTexts } from '../../history/index.ts';
import type { AuditArea } from '../api/audit.ts';
import { auditTexts as texts } from '../texts.ts';
import { ACTORS, NO_FILTERS, PRESETS, type Preset, presetOf, typedAuditIn, typesIn } from './auditAddress.ts';
import { SavedViews } from './SavedViews.tsx';
import { TypeChoice } from './TypeChoice.tsx';

const presets = (Object.keys(PRESETS) as Preset[]).map((value) => ({ value, label: texts.preset[value] }));

type AuditFiltersProps = { area: AuditArea; reply: AuditReply | undefined };

/** The customer that a link or the drawer has chosen. */
const CustomerChip = ({ reply }: Pick<AuditFiltersProps, 'reply'>) => {
  const { address, change } = useListAddress();
  const { customer } = typedAuditIn(address);
  if (customer === '') return null;
  const name = reply?.entries.find((entry) => entry.customer?.customerId === customer)?.customer?.name;
  return (
    <Button size="xs" variant="outline" aria-label={texts.removeFilter(texts.customer)} onClick={() => change({ customer: '' })}>
      {name ? `${texts.customer}: ${name}` : texts.customer}
      <X aria-hidden />
    </Button>
  );
};

/** The filters of an audit page, in the address. */
export const AuditFilters = ({ area, reply }: AuditFiltersProps) => {
  const { address, change } = useListAddress();
  const typed = typedAuditIn(address);
  const chosen = typesIn(typed.types);
  const [showsTypes, setShowsTypes] = useState(false);
  const panel = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const closeTypes = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !showsTypes) return;
    event.stopPropagation();
    setShowsTypes(false);
    opener.current?.focus();
  };
  const search = useCallback((value: string) => change({ search: value }), [change]);
  const members = reply?.actors ?? [];
  const isOther = typed.actor.length > 20 && !members.some(({ id }) => id === typed.actor);
  return (
    <>
      <Flex px={{ base: '4', md: '5' }} pt="4" gap="3" align="center" justify="space-between" wrap="wrap">
        <FilterButtons<Preset | ''>
          label={texts.presets}
          value={presetOf(typed) ?? ''}
          onChange={(preset) => preset !== '' && change({ ...NO_FILTERS, ...PRESETS[preset]() })}
          options={presets}
        />
        <SavedViews area={area} />
      </Flex>
      <Flex px={{ base: '4', md: '5' }} py="3.5" gap="3" align="center" wrap="wrap">
        <SearchField label={texts.search} placeholder={texts.searchHint} value={typed.search} onChange={search} />
        <Button
          ref={opener}
          variant="outline"
          w={{ base: 'full', md: 'auto' }}
          onKeyDown={closeTypes}
          aria-expanded={showsTypes}
          aria-controls={panel}
          onClick={() => setShowsTypes(!showsTypes)}
        >
          {chosen.length > 0 ? texts.typesChosen(chosen.length) : texts.types}
          <ChevronDown aria-hidden />
        </Button>
        <Box w={{ base: 'full', md: '180px' }}>
          <Select aria-label={texts.actor} value={typed.actor} onChange={(event) => change({ actor: event.target.value })}>
            <option value="">{texts.allActors}</option>
            {ACTORS.map((actor) => (
              <option key={actor} value={actor}>
                {historyTexts.actors[actor]}
              </option>
            ))}
            {(members.length > 0 || isOther) && (
              <optgroup label={texts.namedUsers}>
                {members.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
                {isOther && <option value={typed.actor}>{texts.otherUser}</option>}
              </optgroup>
            )}
          </Select>
        </Box>
        <DayField label={texts.from} value={typed.from} max={typed.to} onChange={(from) => change({ from })} />
        <DayField label={texts.to} value={typed.to} min={typed.from} onChange={(to) => change({ to })} />
        <CustomerChip reply={reply} />
      </Flex>
      {showsTypes && (
        <TypeChoice
          id={panel}
          area={area}
          chosen={chosen}
          onChange={(types) => change({ types: types.join(',') })}
          onKeyDown={closeTypes}
        />
      )}
    </>
  );
};
