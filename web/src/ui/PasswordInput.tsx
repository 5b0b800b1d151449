import { Box, Button } from '@chakra-ui/react';
import { type ComponentProps, useState } from 'react';
import { Input } from './controls.tsx';
import { Eye, EyeOff } from './icons.ts';

/** A password with a button that shows what was typed. A `FieldFrame` around it labels it. */
export const PasswordInput = (props: Omit<ComponentProps<typeof Input>, 'type'>) => {
  const [isShown, setShown] = useState(false);
  return (
    <Box position="relative" w="full">
      <Input {...props} type={isShown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} pe="12" />
      <Button
        position="absolute"
        insetEnd="1.5"
        top="50%"
        transform="translateY(-50%)"
        variant="ghost"
        size="sm"
        px="0"
        aria-label="Show password"
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </Button>
    </Box>
  );
};
