import { SimpleGrid } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { MoveToPlan } from '../../../../../src/contracts/plans.ts';
import { FieldFrame, Select } from '../../../ui/controls.tsx';
import { planChoicesQuery } from '../api/plans.ts';
import { planMoveTexts as texts } from '../moveTexts.ts';
import { planTexts } from '../texts.ts';

/** A plan, and what happens to the term of the license. The code is empty until a plan is chosen. */
export type PlanMove = Readonly<{ plan: string; term: MoveToPlan['term'] }>;

type PlanMoveFieldsProps = {
  value: PlanMove;
  onChange: (value: PlanMove) => void;
  /** The code of the plan that cannot be chosen, because the license has it. */
  except?: string | undefined;
};

/** The plan that licenses move to. */
export const PlanMoveFields = ({ value, onChange, except }: PlanMoveFieldsProps) => {
  const { data: plans = [] } = useQuery(planChoicesQuery('admin'));
  const chosen = plans.find(({ code }) => code === value.plan);
  return (
    <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
      <FieldFrame label={texts.plan} hint={chosen && planTexts.summary(chosen)} isRequired>
        <Select value={value.plan} onChange={({ target }) => onChange({ ...value, plan: target.value })}>
          <option value="" disabled>
            {texts.choose}
          </option>
          {plans
            .filter(({ code }) => code !== except)
            .map((plan) => (
              <option key={plan.code} value={plan.code}>
                {planTexts.choice(plan)}
              </option>
            ))}
        </Select>
      </FieldFrame>
      <FieldFrame label={texts.term} hint={texts.termHint[value.term]} isRequired>
        <Select
          value={value.term}
          onChange={({ target }) => onChange({ ...value, term: target.value === 'start' ? 'start' : 'keep' })}
        >
          <option value="keep">{texts.terms.keep}</option>
          <option value="start">{texts.terms.start}</option>
        </Select>
      </FieldFrame>
    </SimpleGrid>
  );
};
