import { useQuery } from '@tanstack/react-query';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { useWatch } from 'react-hook-form';
import type { PlanChoice } from '../../../../../src/contracts/plans.ts';
import { DEFAULT_PLAN } from '../../../../../src/domain/limits.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { messageOf } from '../../../api/error.ts';
import { SelectField } from '../../../forms/fields.tsx';
import { Banner } from '../../../ui/states.tsx';
import { planChoicesQuery } from '../api/plans.ts';
import { planTexts as texts } from '../texts.ts';

type NewPlan = { plan: string };
/** Values of the form for a new customer. */
export const newPlan: NewPlan = { plan: DEFAULT_PLAN };

/** The label of the plan by its name in the request, for validation errors. */
export const planFieldLabels = { plan: texts.field } as const;

/** The body of the request with the chosen plan; the built-in one is not named. */
export const withPlan = <Values extends NewPlan>({ plan, ...body }: Values) => ({
  ...body,
  ...(plan !== DEFAULT_PLAN && { plan }),
});

/** The plan that the form has chosen, once the plans are loaded. */
export const useChosenPlan = (manager: CustomerManager, code: string): PlanChoice | undefined =>
  useQuery(planChoicesQuery(manager)).data?.find((plan) => plan.code === code);

type PlanFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>;
  manager: CustomerManager;
  /** Called with the plan that the user chooses. */
  onChosen?: (plan: PlanChoice) => void;
};

/** The plan of a new customer. It is not shown while the built-in plan is the only one. */
export const PlanField = <Values extends FieldValues & NewPlan, Output>({
  control,
  manager,
  onChosen,
}: PlanFieldProps<Values, Output>) => {
  const name = 'plan' as FieldPath<Values>;
  const { data: plans = [], error } = useQuery(planChoicesQuery(manager));
  const code = useWatch({ control, name });
  const chosen = plans.find((plan) => plan.code === code);
  if (error) return <Banner tone="error">{messageOf(error, texts.loadFailed)}</Banner>;
  if (plans.length < 2) return null;
  return (
    <SelectField
      control={control}
      name={name}
      label={texts.field}
      hint={chosen && texts.summary(chosen)}
      onChosen={(value) => {
        const plan = plans.find((choice) => choice.code === value);
        if (plan) onChosen?.(plan);
      }}
    >
      {plans.map((plan) => (
        <option key={plan.code} value={plan.code}>
          {texts.choice(plan)}
        </option>
      ))}
    </SelectField>
  );
};
