import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { useLocation } from 'react-router-dom';
import type { Area } from '../areas.ts';
import { Link } from '../ui/Link.tsx';
import { useScreenTitle } from '../ui/screenTitle.ts';
import { isCurrent, type NavItem } from './Navigation.tsx';
import { layoutTexts } from './texts.ts';

const Anchor = chakra(Link);

type Hidden = { hideBelow: 'md' | 'xl' };

const Separator = (hidden: Hidden) => (
  <Box as="span" {...hidden} color="border.emphasized" aria-hidden>
    /
  </Box>
);

/** A screen above the one that is shown. The name of a customer is cut before the title of the screen is. */
const Above = ({ to, label, ...hidden }: { to: string; label: string } & Hidden) => (
  <>
    <Anchor to={to} {...hidden} title={label} flexShrink={3} minW="3ch" truncate _hover={{ color: 'fg' }}>
      {label}
    </Anchor>
    <Separator {...hidden} />
  </>
);

type BreadcrumbsProps = {
  area: Area;
  /** The area in words; absent where the header has it. */
  name?: string;
  /** The screens that can be above the one that is shown. */
  screens: readonly NavItem[];
};

/** The area, the screen of the navigation, below it what the screen is a part of, and its own title. */
export const Breadcrumbs = ({ area, name, screens }: BreadcrumbsProps) => {
  const { pathname } = useLocation();
  const { title, owner } = useScreenTitle();
  const address = owner?.to ?? pathname;
  const current = screens.find((item) => isCurrent(area, item, address));
  const isBelow = current !== undefined && address.startsWith(`${current.to}/`) && title !== '' && title !== current.label;
  const shown = isBelow ? title : (current?.label ?? title);
  return (
    <Flex as="nav" aria-label={layoutTexts.breadcrumbs} align="center" gap="2" textStyle="md" color="fg.subtle" minW="0" flex="1">
      {name !== undefined && (
        <>
          <Box as="span" hideBelow="xl" whiteSpace="nowrap">
            {name}
          </Box>
          <Separator hideBelow="xl" />
        </>
      )}
      {isBelow && <Above to={current.to} label={current.label} hideBelow="xl" />}
      {owner && <Above to={owner.to} label={owner.name} hideBelow="md" />}
      <Text as="span" color="fg" fontWeight="medium" title={shown} aria-current="page" truncate>
        {shown}
      </Text>
    </Flex>
  );
};
