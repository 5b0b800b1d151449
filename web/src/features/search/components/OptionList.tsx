import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { ArrowRight } from '../../../ui/icons.ts';
import { Monogram } from '../../../ui/Who.tsx';
import { searchTexts } from '../texts.ts';
import type { Group, Option } from './options.ts';

type RowProps = { id: string; option: Option; isActive: boolean; onPoint: () => void; onChoose: () => void };

const Row = ({ id, option, isActive, onPoint, onChoose }: RowProps) => {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <chakra.div
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      display="flex"
      alignItems="center"
      gap="3"
      px="2.5"
      minH="11"
      borderRadius="l2"
      cursor="pointer"
      bg={isActive ? 'bg.muted' : 'transparent'}
      boxShadow={isActive ? 'inset 0 0 0 1px var(--chakra-colors-border-emphasized)' : 'none'}
      onPointerMove={onPoint}
      // The focus stays in the field.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {option.icon ? (
        <Flex boxSize="8" align="center" justify="center" flexShrink="0" borderRadius="l2" bg="brand.subtle" color="brand.fg">
          <option.icon size={16} strokeWidth={1.9} aria-hidden />
        </Flex>
      ) : (
        <Monogram name={option.name} />
      )}
      <Box flex="1" minW="0" py="1.5">
        <Text as="span" display="block" textStyle="md" fontWeight="medium" title={option.name} truncate>
          {option.name}
        </Text>
        {option.detail && (
          <Text as="span" display="block" textStyle="xs" color={isActive ? 'fg.muted' : 'fg.subtle'} title={option.detail} truncate>
            {option.detail}
          </Text>
        )}
      </Box>
      {isActive && (
        <Box asChild color="fg.subtle">
          <ArrowRight size={15} aria-hidden />
        </Box>
      )}
    </chakra.div>
  );
};

type OptionListProps = {
  id: string;
  idOf: (option: Option) => string;
  groups: readonly Group[];
  active: Option | undefined;
  onPoint: (option: Option) => void;
  onChoose: (option: Option) => void;
};

/** The options by kind. The field keeps the focus and refers to the active option (`aria-activedescendant`). */
export const OptionList = ({ id, idOf, groups, active, onPoint, onChoose }: OptionListProps) => (
  <Box
    id={id}
    role="listbox"
    aria-label={searchTexts.results}
    display="flex"
    flexDirection="column"
    gap="3"
    minH="0"
    overflowY="auto"
  >
    {groups.map(({ name, options }) => (
      <Box key={name} role="group" aria-label={name}>
        <Text px="2.5" pb="1" textStyle="xs" fontWeight="medium" color="fg.subtle" aria-hidden>
          {name}
        </Text>
        {options.map((option) => (
          <Row
            key={option.key}
            id={idOf(option)}
            option={option}
            isActive={option === active}
            onPoint={() => onPoint(option)}
            onChoose={() => onChoose(option)}
          />
        ))}
      </Box>
    ))}
  </Box>
);
