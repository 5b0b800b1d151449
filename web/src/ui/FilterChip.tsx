import { Button } from '@chakra-ui/react';
import { X } from './icons.ts';

type FilterChipProps = {
  /** The filter and its value. */
  text: string;
  /** What the button does, for assistive technology. */
  label: string;
  onRemove: () => void;
};

/** A filter in use, which a click removes. */
export const FilterChip = ({ text, label, onRemove }: FilterChipProps) => (
  <Button
    size="sm"
    variant="outline"
    maxW="full"
    h="auto"
    minH="8"
    whiteSpace="normal"
    overflowWrap="anywhere"
    textAlign="start"
    aria-label={label}
    onClick={onRemove}
  >
    {text}
    <X aria-hidden />
  </Button>
);
