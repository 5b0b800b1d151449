import '../../../ui/key.css';
import { Dialog, Flex } from '@chakra-ui/react';
import { useSwitchedOn } from '../../../lib/preferences.ts';
import { SHORTCUTS } from '../../../lib/shortcuts.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { searchTexts } from '../texts.ts';

const { shortcuts: texts } = searchTexts;

/** Lists the keyboard shortcuts, and turns those of one key off. */
export const ShortcutsDialog = ({ dialog }: { dialog: DialogState }) => {
  const [isOn, setOn] = useSwitchedOn(SHORTCUTS);
  return (
    <Modal dialog={dialog} title={texts.title} size="sm">
      <Dialog.Body display="flex" flexDirection="column" gap="4">
        <dl>
          {texts.keys.map(([keys, what]) => (
            <Flex key={what} align="center" justify="space-between" gap="4" py="1.5" textStyle="sm">
              <dt>{what}</dt>
              <Flex as="dd" gap="1.5" flexShrink="0">
                {keys.map((key) => (
                  <kbd key={key} className="key">
                    {key}
                  </kbd>
                ))}
              </Flex>
            </Flex>
          ))}
        </dl>
        <Switch label={texts.single} hint={texts.singleHint} checked={isOn} onChange={({ target }) => setOn(target.checked)} />
      </Dialog.Body>
    </Modal>
  );
};
