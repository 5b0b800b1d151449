import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { useLocation } from 'react-router-dom';
import { Link } from '../ui/Link.tsx';
import { useScreenTitle } from '../ui/screenTitle.ts';
import type { NavItem } from './Navigation.tsx';
import { layoutTexts } from './texts.ts';

const Anchor = chakra(Link);

const Separator = () => (
  <Box as="span" hideBelow="xl" color="border.emphasized" aria-hidden>
    /
  </Box>
);

type BreadcrumbsProps = { area: string; current: NavItem | undefined };

/** The area, the screen of the navigation, and below it the name of what the screen shows. */
export const Breadcrumbs = ({ area, current }: BreadcrumbsProps) => {
  const { pathname } = useLocation();
  const title = useScreenTitle();
  const isBelow = current !== undefined && pathname.startsWith(`${current.to}/`) && title !== '' && title !== current.label;
  const shown = isBelow ? title : (current?.label ?? title);
  return (
    <Flex as="nav" aria-label={layoutTexts.breadcrumbs} align="center" gap="2" textStyle="md" color="fg.subtle" minW="0" flex="1">
      <Box as="span" hideBelow="xl" whiteSpace="nowrap">
        {area}
      </Box>
      <Separator />
      {isBelow && (
        <>
          <Anchor to={current.to} hideBelow="xl" whiteSpace="nowrap" _hover={{ color: 'fg' }}>
            {current.label}
          </Anchor>
          <Separator />
        </>
      )}
      <Text as="span" color="fg" fontWeight="medium" title={shown} aria-current="page" truncate>
        {shown}
      </Text>
    </Flex>
  );
};
