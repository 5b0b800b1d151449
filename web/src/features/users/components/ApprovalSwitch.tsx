import { messageOf } from '../../../api/error.ts';
import { useCustomerSession } from '../../../session/session.ts';
import { Card } from '../../../ui/Card.tsx';
import { notify } from '../../../ui/notify.ts';
import { Switch } from '../../../ui/Switch.tsx';
import { useSwitchApproval } from '../api/machines.ts';
import { machineTexts as texts } from '../machineTexts.ts';

/** Whether the customer's new machines need approval. A pending change is already shown. */
export const ApprovalSwitch = () => {
  const { id, machineApprovalEnforced } = useCustomerSession();
  const change = useSwitchApproval(id);
  const isEnforced = change.isPending ? change.variables : machineApprovalEnforced;
  return (
    <Card px={{ base: '4', md: '5' }} py="4" mt="4">
      <Switch
        label={texts.approval}
        hint={texts.approvalHint}
        checked={isEnforced}
        aria-busy={change.isPending}
        onChange={({ target: { checked } }) =>
          change.mutate(checked, {
            onSuccess: () => notify.success(checked ? texts.enforced : texts.relaxed),
            onError: (error) => notify.error(messageOf(error, texts.switchFailed)),
          })
        }
      />
    </Card>
  );
};
