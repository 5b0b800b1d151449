import '../../../ui/key.css';
import { Flex } from '@chakra-ui/react';
import { ArrowDown, ArrowUp } from '../../../ui/icons.ts';
import { searchTexts } from '../texts.ts';

const { keys } = searchTexts;

/** The keys of the search, shown where there is a keyboard. Screen readers announce them from the field's role. */
export const KeyHints = () => (
  <Flex
    hideBelow="md"
    align="center"
    gap="5"
    px="4"
    h="10"
    flexShrink="0"
    borderTopWidth="1px"
    borderColor="border.muted"
    bg="bg.subtle"
    textStyle="xs"
    color="fg.subtle"
    aria-hidden
  >
    <Flex align="center" gap="1.5">
      <kbd className="key">
        <ArrowUp size={11} />
      </kbd>
      <kbd className="key">
        <ArrowDown size={11} />
      </kbd>
      {keys.move}
    </Flex>
    <Flex align="center" gap="1.5">
      <kbd className="key">{keys.enter}</kbd>
      {keys.open}
    </Flex>
    <Flex align="center" gap="1.5">
      <kbd className="key">{keys.escape}</kbd>
      {keys.close}
    </Flex>
  </Flex>
);
