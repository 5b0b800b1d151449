import { Button } from '@chakra-ui/react';
import { Trash2 } from './icons.ts';

type DeleteButtonProps = { children: string; onClick: () => void; onIntent?: () => void; isDisabled?: boolean };

/** Opens the confirmation of a deletion. */
export const DeleteButton = ({ children, onClick, onIntent, isDisabled = false }: DeleteButtonProps) => (
  <Button
    variant="outline"
    color="fg.error"
    _hover={{ bg: 'bg.error', borderColor: 'border.error' }}
    disabled={isDisabled}
    onClick={onClick}
    onPointerEnter={onIntent}
    onFocus={onIntent}
  >
    <Trash2 aria-hidden />
    {children}
  </Button>
);
