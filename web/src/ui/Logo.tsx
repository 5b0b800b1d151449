import { Box, Flex, Image, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { useBranding } from './branding.ts';

/** The path of the logo of the host's brand. */
const BRAND_LOGO = '/api/branding/logo';

/** The brand's logo; the product's if there is none or it cannot be loaded. */
export const LogoMark = ({ size = 28 }: { size?: number }) => {
  const { logoUrl } = useBranding();
  const [broken, setBroken] = useState<string | null>(null);
  const own = logoUrl === null || broken === logoUrl;
  return (
    <Image
      src={own ? '/favicon.svg' : BRAND_LOGO}
      alt=""
      width={own ? `${size}px` : 'auto'}
      height={`${size}px`}
      maxW={`${size * 4}px`}
      objectFit="contain"
      flexShrink="0"
      onError={() => logoUrl !== null && setBroken(logoUrl)}
    />
  );
};

/** Logo and name; `sub` is the name of the area. */
export const Logo = ({ sub }: { sub?: string }) => {
  const { productName, companyName } = useBranding();
  return (
    <Flex align="center" gap="2.5" minW="0">
      <LogoMark />
      <Box minW="0">
        <Text as="span" display="block" textStyle="md" fontWeight="semibold" letterSpacing="-0.018em" lineHeight="1.2" truncate>
          {companyName ?? productName}
        </Text>
        {sub && (
          <Text as="span" display="block" textStyle="2xs" color="fg.subtle" lineHeight="1.3" truncate>
            {sub}
          </Text>
        )}
      </Box>
    </Flex>
  );
};
