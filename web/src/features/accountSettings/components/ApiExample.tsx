import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { useBranding } from '../../../ui/branding.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { ArrowUpRight } from '../../../ui/icons.ts';
import { accountTexts as texts } from '../texts.ts';

const exampleOf = (origin: string, key: string): string =>
  [
    `curl ${origin}/api/auth/service-integrator/login \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"masterLicenseKey": "${key}"}'`,
    '',
    `curl ${origin}/api/service-integrator/customers \\`,
    "  -H 'Authorization: Bearer TOKEN'",
  ].join('\n');

/** How a program signs in with the master license key. The example contains the key's format, not the key, so it can be shared. */
export const ApiExample = () => {
  const { keyPrefix } = useBranding();
  const example = exampleOf(location.origin, `${keyPrefix}-SI-XXXX-XXXXX`);
  return (
    <Card as="section" aria-label={texts.integration}>
      <CardHead
        title={texts.integration}
        sub={texts.integrationSub}
        right={<CopyButton text={example} label={texts.copyExample} />}
        isRightSmall
      />
      <chakra.pre
        tabIndex={0}
        role="region"
        aria-label={texts.example}
        mx={{ base: '4', md: '5' }}
        mb="5"
        px="4"
        py="3.5"
        bg="#0B1016"
        color="#C9D3DD"
        borderRadius="l2"
        fontFamily="mono"
        textStyle="xs"
        lineHeight="1.7"
        overflowX="auto"
      >
        {example}
      </chakra.pre>
    </Card>
  );
};

type HelpLinkProps = { href: string; title: string; sub: string };

const HelpLink = ({ href, title, sub }: HelpLinkProps) => (
  <chakra.a
    href={href}
    {...(!href.startsWith('mailto:') && { target: '_blank', rel: 'noreferrer' })}
    display="flex"
    alignItems="center"
    gap="3"
    px="3"
    py="2.5"
    borderRadius="l2"
    _hover={{ bg: 'bg.subtle' }}
  >
    <Box flex="1" minW="0">
      <Text textStyle="sm" fontWeight="medium">
        {title}
      </Text>
      <Text textStyle="xs" color="fg.subtle" truncate>
        {sub}
      </Text>
    </Box>
    <Box asChild color="fg.subtle">
      <ArrowUpRight size={15} aria-hidden />
    </Box>
  </chakra.a>
);

/** Links to help: addresses beside the product's portal host. */
export const HelpLinks = () => {
  const { portalHost } = useBranding();
  const domain = portalHost.replace(/^[^.]+\.(?=.+\.)/, '');
  const { documentation, support, community } = texts.links;
  const address = `support@${domain}`;
  return (
    <Card as="section" aria-label={texts.help}>
      <CardHead title={texts.help} />
      <Flex direction="column" px="2" pb="3" gap="0.5">
        <HelpLink href="/api/docs" title={documentation.title} sub={documentation.sub} />
        <HelpLink href={`mailto:${address}`} title={support.title} sub={support.sub(address)} />
        <HelpLink href={`https://community.${domain}`} title={community.title} sub={community.sub} />
      </Flex>
    </Card>
  );
};
