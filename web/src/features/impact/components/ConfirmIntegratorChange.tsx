import { useQuery } from '@tanstack/react-query';
import type { ServiceIntegrator, UpdateIntegrator } from '../../../../../src/contracts/integrators.ts';
import type { Confirmation } from '../../../forms/useConfirmation.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { integratorImpactQuery } from '../api/impact.ts';
import { effectsOnIntegrator, integratorConsequenceOf } from '../effects.ts';
import { impactTexts as texts } from '../texts.ts';
import { Effects } from './Effects.tsx';

type ConfirmIntegratorChangeProps = { confirmation: Confirmation<UpdateIntegrator>; integrator: ServiceIntegrator };

const Asking = ({ confirmation, body, integrator }: ConfirmIntegratorChangeProps & { body: UpdateIntegrator }) => {
  const impact = useQuery(integratorImpactQuery(integrator.id, { status: body.status }));
  const change = integratorConsequenceOf(integrator, body) ?? 'suspend';
  const isChurn = change === 'churn';
  return (
    <ConfirmDialog
      dialog={confirmation.dialog}
      title={isChurn ? texts.churnTitle(integrator.companyName) : texts.suspendTitle(integrator.companyName)}
      confirmLabel={isChurn ? texts.churn : texts.suspend}
      isDisabled={impact.isPending}
      onConfirm={confirmation.confirm}
    >
      <Effects
        query={impact}
        effectsOf={(decided) => effectsOnIntegrator(isChurn ? 'churned' : 'suspended', decided)}
        list={{ to: `/admin/customers?integrator=${integrator.id}`, label: texts.allCustomers }}
      />
    </ConfirmDialog>
  );
};

/** Asks before a service integrator is suspended or churned. */
export const ConfirmIntegratorChange = (props: ConfirmIntegratorChangeProps) => {
  const { dialog, body } = props.confirmation;
  return dialog.isMounted && body ? <Asking {...props} body={body} /> : null;
};
