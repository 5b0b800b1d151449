import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { ArrowRight, type LucideIcon } from './icons.ts';
import { Link } from './Link.tsx';

const Anchor = chakra(Link);

type ActionLinkProps = { to: string; icon: LucideIcon; texts: { title: string; sub: string } };

/** A link to a frequent task, with a description. */
export const ActionLink = ({ to, icon: Icon, texts }: ActionLinkProps) => (
  <Anchor
    to={to}
    className="group"
    display="flex"
    alignItems="center"
    gap="3"
    px="3"
    py="2.5"
    borderRadius="l2"
    _hover={{ bg: 'bg.subtle' }}
    transition="background-color .12s"
  >
    <Flex boxSize="9" align="center" justify="center" borderRadius="l2" bg="brand.subtle" color="brand.fg" flexShrink="0">
      <Icon size={17} strokeWidth={1.9} aria-hidden />
    </Flex>
    <Box flex="1" minW="0">
      <Text textStyle="sm" fontWeight="medium">
        {texts.title}
      </Text>
      <Text textStyle="xs" color="fg.subtle">
        {texts.sub}
      </Text>
    </Box>
    <Box asChild color="fg.subtle" transition="transform .15s" _groupHover={{ transform: 'translateX(2px)' }}>
      <ArrowRight size={15} aria-hidden />
    </Box>
  </Anchor>
);
