import { Box, Flex, Text } from '@chakra-ui/react';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { secondFactorTexts as texts } from '../texts.ts';
import { QrCode } from './QrCode.tsx';

/** A new secret for an authenticator app, as QR code and as text. `uri` is its `otpauth:` address. */
export const SecretSetup = ({ secret, uri }: { secret: string; uri: string }) => (
  <Flex gap="4" align="center" direction={{ base: 'column', md: 'row' }}>
    <QrCode text={uri} label={texts.qrCode} />
    <Box minW="0" w="full">
      <Text textStyle="sm" color="fg.muted">
        {texts.scan}
      </Text>
      <Flex align="center" gap="2" mt="3" px="3" py="2" bg="bg.muted" borderWidth="1px" borderRadius="l2">
        <Text
          as="code"
          aria-label={texts.secret}
          fontFamily="mono"
          textStyle="sm"
          letterSpacing="0"
          overflowWrap="anywhere"
          flex="1"
        >
          {secret}
        </Text>
        <CopyButton text={secret} label={texts.copySecret} />
      </Flex>
    </Box>
  </Flex>
);
