import { Image, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { LogoMark } from '../ui/Logo.tsx';

type IntegratorMarkProps = {
  /** The name of the service integrator while white-label is on; null shows the logo of the host. */
  brand: string | null;
  /** The address of its logo; null if it has none or it is not loaded yet. */
  logo: string | null;
};

/** The logo of a service integrator with its brand, or its name in its color where there is none or it is broken. */
export const IntegratorMark = ({ brand, logo }: IntegratorMarkProps) => {
  const [broken, setBroken] = useState<string | null>(null);
  if (brand === null) return <LogoMark />;
  if (logo !== null && broken !== logo) {
    return <Image src={logo} alt="" height="28px" maxW="112px" objectFit="contain" onError={() => setBroken(logo)} />;
  }
  return (
    <Text
      as="span"
      textStyle="sm"
      fontWeight="semibold"
      px="2"
      py="0.5"
      borderRadius="l2"
      bg="brand.solid"
      color="brand.contrast"
      maxW={{ base: '112px', md: '200px' }}
      title={brand}
      truncate
    >
      {brand}
    </Text>
  );
};
