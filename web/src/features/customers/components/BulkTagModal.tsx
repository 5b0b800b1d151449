import { SimpleGrid } from '@chakra-ui/react';
import { useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { MAX_TAG } from '../../../../../src/domain/limits.ts';
import { customerTopics } from '../../../api/changeCustomer.ts';
import { recordBulkChange } from '../../../api/recordBulkChange.ts';
import { BulkDialog } from '../../../ui/BulkDialog.tsx';
import { FieldFrame, Input, Select } from '../../../ui/controls.tsx';
import { tagsIn } from '../../records/index.ts';
import { changeTags, withTags } from '../api/bulk.ts';
import { customerBulkTexts as texts } from '../bulkTexts.ts';
import type { CustomerBulkProps } from './BulkStatusModal.tsx';
import { customerKey, customerName } from './customerRows.tsx';

const REFETCHED = customerTopics();

/** Adds tags to the selected customers, or removes them. Customers that have them, or have none of them, are skipped. */
export const BulkTagModal = ({ dialog, manager, customers, onClose }: CustomerBulkProps) => {
  const [action, setAction] = useState<'add' | 'remove'>('add');
  const [typed, setTyped] = useState('');
  const change = { action, tags: tagsIn(typed).map((tag) => tag.toLowerCase()) };
  const isTooLong = change.tags.some((tag) => tag.length > MAX_TAG);
  const after = ({ tags = [] }: Customer): string => withTags(tags, change).join(', ') || texts.noTags;
  return (
    <BulkDialog
      dialog={dialog}
      title={texts.tagTitle}
      rows={customers}
      keyOf={customerKey}
      nameOf={customerName}
      isAffected={({ tags = [] }) => withTags(tags, change).length !== tags.length}
      isIncomplete={change.tags.length === 0 || isTooLong}
      preview={after}
      confirmLabel={texts.tagCount}
      busyLabel={texts.tagging}
      change={(customer, keys) => changeTags(manager, customer, change, keys)}
      record={(id, refused, options) => recordBulkChange(manager, { id, kind: 'tags', refused }, options)}
      touched={REFETCHED}
      fallback={texts.tagFailed}
      onClose={onClose}
    >
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <FieldFrame label={texts.tagAction} isRequired>
          <Select value={action} onChange={({ target }) => setAction(target.value === 'remove' ? 'remove' : 'add')}>
            <option value="add">{texts.addTags}</option>
            <option value="remove">{texts.removeTags}</option>
          </Select>
        </FieldFrame>
        <FieldFrame label={texts.tags} hint={texts.tagsHint} error={isTooLong ? texts.tagTooLong(MAX_TAG) : undefined} isRequired>
          <Input value={typed} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
        </FieldFrame>
      </SimpleGrid>
    </BulkDialog>
  );
};
