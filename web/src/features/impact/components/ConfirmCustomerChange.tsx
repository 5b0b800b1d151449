import { useQuery } from '@tanstack/react-query';
import type { Customer, UpdateCustomer } from '../../../../../src/contracts/customers.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import type { Confirmation } from '../../../forms/useConfirmation.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { customerImpactQuery } from '../api/impact.ts';
import { type CustomerChange, changeOf, consequenceOf, effectsOfChange } from '../effects.ts';
import { impactTexts as texts } from '../texts.ts';
import { Effects, usersOf } from './Effects.tsx';

const titles = {
  suspend: texts.suspendTitle,
  churn: texts.churnTitle,
  reduceSeats: texts.seatsTitle,
  enforceLimits: texts.enforceTitle,
  nameSeats: texts.nameTitle,
} as const satisfies Record<CustomerChange, (name: string) => string>;

const labels = {
  suspend: texts.suspend,
  churn: texts.churn,
  reduceSeats: texts.reduce,
  enforceLimits: texts.enforce,
  nameSeats: texts.nameSeats,
} as const satisfies Record<CustomerChange, string>;

type ConfirmCustomerChangeProps = {
  confirmation: Confirmation<UpdateCustomer>;
  customer: Customer;
  manager: CustomerManager;
};

const Asking = ({ confirmation, body, customer, manager }: ConfirmCustomerChangeProps & { body: UpdateCustomer }) => {
  const impact = useQuery(customerImpactQuery(manager, customer.id, changeOf(body)));
  const change = consequenceOf(customer, body) ?? 'reduceSeats';
  return (
    <ConfirmDialog
      dialog={confirmation.dialog}
      title={titles[change](customer.name)}
      confirmLabel={labels[change]}
      isDisabled={impact.isPending}
      onConfirm={confirmation.confirm}
    >
      <Effects
        query={impact}
        effectsOf={(decided) => effectsOfChange(customer, body, decided)}
        list={usersOf(manager, customer.id)}
      />
    </ConfirmDialog>
  );
};

/** Asks before a customer is suspended or churned, or left with fewer seats than its users hold. */
export const ConfirmCustomerChange = (props: ConfirmCustomerChangeProps) => {
  const { dialog, body } = props.confirmation;
  return dialog.isMounted && body ? <Asking {...props} body={body} /> : null;
};
