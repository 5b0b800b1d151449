import { Box, Flex, Image, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { whiteLabelTexts as texts } from '../texts.ts';

/** Other addresses are refused when saving, and by the page's own policy before that. */
const isHttps = (url: string): boolean => URL.canParse(url) && new URL(url).protocol === 'https:';

/** The picture at an https address; nothing where it cannot be loaded. */
export const LogoPreview = ({ url }: { url: string }) => {
  const [broken, setBroken] = useState<string | null>(null);
  if (!isHttps(url) || broken === url) return null;
  return (
    <Box as="figure">
      <Text as="figcaption" textStyle="xs" color="fg.subtle" mb="1.5">
        {texts.preview}
      </Text>
      <Flex align="center" justify="center" h="24" px="5" borderWidth="1px" borderColor="border" borderRadius="l2" bg="bg.subtle">
        <Image src={url} alt={texts.logoAlt} maxH="14" maxW="full" objectFit="contain" onError={() => setBroken(url)} />
      </Flex>
    </Box>
  );
};
