import { Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { BulkKeys } from '../../../api/client.ts';
import { messageOf } from '../../../api/error.ts';
import { recordBulkChange } from '../../../api/recordBulkChange.ts';
import { BulkDialog } from '../../../ui/BulkDialog.tsx';
import { FieldFrame, Select } from '../../../ui/controls.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Changes } from '../../history/index.ts';
import { EffectList, effectsOnLicenses } from '../../impact/index.ts';
import { acceptOffer, moveLicense, movePreview, offerPreview, type PlanMove, PlanMoveFields } from '../../plans/index.ts';
import { customerBulkTexts as texts } from '../bulkTexts.ts';
import type { CustomerBulkProps } from './BulkStatusModal.tsx';
import { customerKey, customerName } from './customerRows.tsx';
import { usePreviews } from './usePreviews.ts';

const REFETCHED = [topic.customers(), topic.plans(), ['customer'], ['history']] as const;

/** Applies to the selected licenses what their plans changed, or moves them to another plan. Licenses without a change are skipped. */
export const BulkPlanModal = ({ dialog, manager, customers, onClose }: CustomerBulkProps) => {
  const [selected] = useState(customers);
  const [action, setAction] = useState<'offer' | 'move'>('offer');
  const [move, setMove] = useState<PlanMove>({ plan: '', term: 'keep' });
  const isMove = action === 'move';
  const previews = usePreviews(
    customers,
    isMove ? (move.plan === '' ? null : `${move.plan} ${move.term}`) : action,
    ({ id }, signal) => (isMove ? movePreview(id, move.plan, move.term, signal) : offerPreview(manager, id, signal)),
  );
  const offerOf = (customer: Customer) => previews.of(customer)?.offer ?? null;
  const shown = (customer: Customer) => {
    const { changes = [] } = offerOf(customer) ?? {};
    return changes.length > 0 ? <Changes changes={changes} /> : texts.onlyPlan;
  };
  const change = async (customer: Customer, keys: BulkKeys): Promise<unknown> => {
    // What the user saw is applied, or nothing: where the customer or the plan has changed since, the preview is loaded again.
    const preview = previews.of(customer);
    if (!preview?.offer) return;
    return isMove ? moveLicense(customer.id, { preview, term: move.term }, keys) : acceptOffer(manager, customer.id, preview, keys);
  };
  const effects = effectsOnLicenses(selected.map((customer) => ({ customer: customer.name, effects: offerOf(customer)?.effects })));
  return (
    <BulkDialog
      dialog={dialog}
      title={texts.planTitle}
      rows={customers}
      keyOf={customerKey}
      nameOf={customerName}
      isAffected={(customer) => offerOf(customer) !== null}
      isIncomplete={!previews.isComplete}
      isLoading={previews.isLoading}
      preview={shown}
      confirmLabel={texts.planCount}
      busyLabel={texts.changingPlans}
      change={change}
      record={(id, refused, options) => recordBulkChange(manager, { id, kind: 'plan', refused }, options)}
      reload={previews.reload}
      touched={REFETCHED}
      fallback={texts.planFailed}
      onClose={onClose}
    >
      {manager === 'admin' ? (
        <FieldFrame label={texts.planAction} hint={isMove ? texts.moveHint : texts.offerHint} isRequired>
          <Select value={action} onChange={({ target }) => setAction(target.value === 'move' ? 'move' : 'offer')}>
            <option value="offer">{texts.planActions.offer}</option>
            <option value="move">{texts.planActions.move}</option>
          </Select>
        </FieldFrame>
      ) : (
        <Text textStyle="sm">{texts.offerHint}</Text>
      )}
      {isMove && <PlanMoveFields value={move} onChange={setMove} />}
      {Boolean(previews.error) && <Banner tone="error">{messageOf(previews.error, texts.planFailed)}</Banner>}
      <EffectList effects={effects} />
      {previews.isLoading && (
        <Text as="div" role="status" textStyle="sm" color="fg.muted">
          {texts.previewing(previews.loaded, customers.length)}
        </Text>
      )}
    </BulkDialog>
  );
};
