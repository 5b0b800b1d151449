import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { KeyRound } from '../../../ui/icons.ts';
import { passkeyTexts as texts } from '../texts.ts';

type PasskeyButtonProps = {
  children: string;
  busyLabel: string;
  isBusy: boolean;
  error?: string;
  hint?: string;
  onClick: () => void;
};

const Line = () => <Box flex="1" borderTopWidth="1px" borderColor="border" />;

/** Below a form: does the same with a passkey instead of what the form asks for. */
export const PasskeyButton = ({ children, busyLabel, isBusy, error, hint, onClick }: PasskeyButtonProps) => (
  <>
    <Flex align="center" gap="3" my="4" aria-hidden>
      <Line />
      <Text textStyle="xs" color="fg.subtle">
        {texts.or}
      </Text>
      <Line />
    </Flex>
    <Button type="button" variant="outline" size="lg" w="full" loading={isBusy} loadingText={busyLabel} onClick={onClick}>
      <KeyRound aria-hidden />
      {children}
    </Button>
    {error ? (
      <Text role="alert" textStyle="sm" color="fg.error" mt="2">
        {error}
      </Text>
    ) : (
      hint && (
        <Text textStyle="xs" color="fg.subtle" mt="2">
          {hint}
        </Text>
      )
    )}
  </>
);
