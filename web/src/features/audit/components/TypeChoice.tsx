import { Box, chakra, SimpleGrid } from '@chakra-ui/react';
import { type KeyboardEventHandler, useEffect, useState } from 'react';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { historyTexts } from '../../history/index.ts';
import type { AuditArea } from '../api/audit.ts';
import { auditTexts as texts } from '../texts.ts';
import { typesIn } from './auditAddress.ts';

const { customer, integrator, administration } = historyTexts.groups;

/** The types by group; each is in one group. */
const groupsIn = (area: AuditArea): [group: string, types: [type: string, label: string][]][] => {
  const shown = [customer, integrator, ...(area === 'admin' ? [administration] : [])];
  const groups = new Map<string, Map<string, string>>();
  const seen = new Set<string>();
  for (const [group, types] of shown.flatMap(Object.entries<Readonly<Record<string, string>>>)) {
    for (const [type, label] of Object.entries(types)) {
      if (seen.has(type)) continue;
      seen.add(type);
      const known = groups.get(group) ?? new Map<string, string>();
      groups.set(group, known.set(type, label));
    }
  }
  return [...groups].map(([group, types]) => [group, [...types]]);
};

type TypeChoiceProps = {
  id: string;
  area: AuditArea;
  chosen: readonly string[];
  onChange: (types: string[]) => void;
  onKeyDown: KeyboardEventHandler;
};

/** The types of entries, of which any number can be chosen. */
export const TypeChoice = ({ id, area, chosen, onChange, onKeyDown }: TypeChoiceProps) => {
  // The address changes a moment after the click.
  const [picked, setPicked] = useState(chosen);
  const typed = chosen.join(',');
  useEffect(() => setPicked(typesIn(typed)), [typed]);
  const pick = (types: string[]) => {
    setPicked(types);
    onChange(types);
  };
  return (
    <Box
      id={id}
      role="group"
      onKeyDown={onKeyDown}
      aria-label={texts.typesShown}
      px={{ base: '4', md: '5' }}
      py="4"
      borderTopWidth="1px"
      borderColor="border"
      maxH="420px"
      overflowY="auto"
      tabIndex={0}
    >
      <SimpleGrid columns={{ base: 1, md: 2, xl: 4 }} gap="5">
        {groupsIn(area).map(([group, types]) => (
          <chakra.fieldset key={group} border="0" p="0" m="0" minW="0">
            <chakra.legend textStyle="xs" fontWeight="semibold" color="fg.subtle" mb="2">
              {group}
            </chakra.legend>
            <Box display="flex" flexDirection="column" gap="1.5">
              {types.map(([type, label]) => (
                <Checkbox
                  key={type}
                  label={label}
                  checked={picked.includes(type)}
                  onChange={({ target }) => pick(target.checked ? [...picked, type] : picked.filter((other) => other !== type))}
                />
              ))}
            </Box>
          </chakra.fieldset>
        ))}
      </SimpleGrid>
    </Box>
  );
};
