import { Box, Flex, Image, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { whiteLabelTexts as texts } from '../texts.ts';

/** The picture at an address; nothing where it cannot be loaded. */
export const LogoPreview = ({ url }: { url: string }) => {
  const [broken, setBroken] = useState<string | null>(null);
  if (url === '' || broken === url) return null;
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
