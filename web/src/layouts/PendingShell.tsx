import { Box, Flex, Text } from '@chakra-ui/react';
import type { Area } from '../areas.ts';
import { Logo, LogoMark } from '../ui/Logo.tsx';
import { Loading } from '../ui/states.tsx';
import { layoutTexts } from './texts.ts';

const Bar = ({ children }: { children?: React.ReactNode }) => (
  <Flex as="header" h="14" align="center" px={{ base: '4', md: '5' }} gap="2.5" borderBottomWidth="1px" borderColor="border">
    {children}
  </Flex>
);

const Content = ({ area }: { area: Area }) => (
  <Box as="main" px={{ base: '4', md: '8' }} py="7">
    <Text as="h1" srOnly data-pending>
      {layoutTexts[area].area}
    </Text>
    <Loading label={layoutTexts.loading} height="70vh" />
  </Box>
);

const side = { as: 'aside', hideBelow: 'lg', flexShrink: '0', px: '3', borderEndWidth: '1px', borderColor: 'border' } as const;

/** The frame of an area while its session is checked: it shows nothing of a tenant. */
export const PendingShell = ({ area }: { area: Area }) =>
  area === 'integrator' ? (
    <Box minH="100dvh">
      <Bar>
        <LogoMark />
        <Text as="span" textStyle="md" fontWeight="semibold" letterSpacing="-0.018em">
          {layoutTexts.integrator.area}
        </Text>
      </Bar>
      <Flex>
        <Box {...side} w="232px" minH="calc(100dvh - 56px)" />
        <Box flex="1">
          <Content area={area} />
        </Box>
      </Flex>
    </Box>
  ) : (
    <Flex minH="100dvh">
      <Box {...side} w="248px" py="4">
        <Box px="2">
          <Logo sub={layoutTexts[area].sub} />
        </Box>
      </Box>
      <Box flex="1">
        <Bar>
          <Text as="span" textStyle="md" color="fg.subtle">
            {layoutTexts[area].area}
          </Text>
        </Bar>
        <Content area={area} />
      </Box>
    </Flex>
  );
