import { Box, Center, chakra, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { loginPath } from '../../../areas.ts';
import { usePreloader } from '../../../lib/preloader.ts';
import { useBranding } from '../../../ui/branding.ts';
import { ColorModeButton } from '../../../ui/ColorModeButton.tsx';
import { ArrowRight, Building2, KeyRound, type LucideIcon } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { useTitle } from '../../../ui/PageHead.tsx';
import { landingTexts } from '../texts.ts';

const Anchor = chakra(Link);

/** Preloads the page of a hovered link. */
const usePreload = () => {
  const preloader = usePreloader();
  return (to: string): void => void preloader.page(to, '').catch(() => undefined);
};

type ChoiceProps = { to: string; icon: LucideIcon; texts: { title: string; sub: string } };

const Choice = ({ to, icon: Icon, texts }: ChoiceProps) => {
  const preload = usePreload();
  return (
    <Anchor
      to={to}
      onPointerEnter={() => preload(to)}
      className="group"
      display="block"
      p="6"
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="l3"
      boxShadow="sm"
      transition="border-color .15s, box-shadow .15s, transform .15s"
      _hover={{ borderColor: 'brand.400', boxShadow: 'md', transform: 'translateY(-1px)' }}
    >
      <Center boxSize="10" borderRadius="l2" bg="brand.subtle" color="brand.fg" mb="5">
        <Icon size={19} strokeWidth={1.9} aria-hidden />
      </Center>
      <Text as="h2" textStyle="lg" fontWeight="semibold">
        {texts.title}
      </Text>
      <Text textStyle="md" color="fg.muted" mt="1" mb="5">
        {texts.sub}
      </Text>
      <Flex align="center" gap="1.5" textStyle="md" fontWeight="medium" color="brand.fg">
        {landingTexts.signIn}
        <Box asChild transition="transform .15s" _groupHover={{ transform: 'translateX(3px)' }}>
          <ArrowRight size={15} aria-hidden />
        </Box>
      </Flex>
    </Anchor>
  );
};

/** The entry page with the three sign-ins, in the brand of the host. */
export const LandingScreen = () => {
  const preload = usePreload();
  useTitle(useBranding().productName);
  return (
    <Flex
      minH="100dvh"
      direction="column"
      px="5"
      bg="radial-gradient(1200px 520px at 50% -10%, color-mix(in oklab, var(--chakra-colors-brand-400), transparent 84%), transparent 70%)"
    >
      <Flex as="header" py="5" maxW="1080px" w="full" mx="auto" justify="space-between" align="center">
        <Logo />
        <ColorModeButton />
      </Flex>
      <Center as="main" flex="1" flexDir="column" pb="16">
        <Box textAlign="center" mb="9">
          <Text as="h1" textStyle={{ base: '3xl', md: '4xl' }} fontWeight="semibold">
            {landingTexts.title}
          </Text>
          <Text textStyle="lg" color="fg.muted" mt="2" textWrap="balance">
            {landingTexts.sub}
          </Text>
        </Box>
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="4" w="full" maxW="720px">
          <Choice to={loginPath.portal} icon={KeyRound} texts={landingTexts.customer} />
          <Choice to={loginPath.integrator} icon={Building2} texts={landingTexts.integrator} />
        </SimpleGrid>
        <Anchor
          to={loginPath.admin}
          onPointerEnter={() => preload(loginPath.admin)}
          mt="8"
          py="1"
          textStyle="sm"
          color="fg.subtle"
          _hover={{ color: 'fg' }}
        >
          {landingTexts.admin}
        </Anchor>
      </Center>
    </Flex>
  );
};
