import { Box, Flex, Image, Text } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useFetchedLogo } from '../../../ui/fetchedLogo.ts';
import { whiteLabelTexts as texts } from '../texts.ts';

/** The server rejects other addresses. */
const isHttps = (url: string): boolean => URL.canParse(url) && new URL(url).protocol === 'https:';

/** Debounce of the address before its image is fetched. */
const TYPED_MS = 400;

const useSettled = (value: string): string => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), TYPED_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return settled;
};

/** The image at an https address, fetched by the server; nothing if it cannot be loaded. */
export const LogoPreview = ({ url }: { url: string }) => {
  const [broken, setBroken] = useState<string | null>(null);
  const settled = useSettled(url);
  const source = useFetchedLogo(isHttps(settled) ? settled : null);
  if (settled !== url || source === null || broken === source) return null;
  return (
    <Box as="figure">
      <Text as="figcaption" textStyle="xs" color="fg.subtle" mb="1.5">
        {texts.preview}
      </Text>
      <Flex align="center" justify="center" h="24" px="5" borderWidth="1px" borderColor="border" borderRadius="l2" bg="bg.subtle">
        <Image src={source} alt={texts.logoAlt} maxH="14" maxW="full" objectFit="contain" onError={() => setBroken(source)} />
      </Flex>
    </Box>
  );
};
