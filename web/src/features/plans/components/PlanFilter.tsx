import { Box } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { Select } from '../../../ui/controls.tsx';
import { planNamesQuery } from '../api/planNames.ts';
import { planFilterTexts as texts } from '../filterTexts.ts';

const CODE = /^[A-Z]{3}$/;

/** The code of the plan that the address filters a list of customers by; undefined for all. */
export const planIn = (address: URLSearchParams): string | undefined => {
  const code = address.get('plan')?.toUpperCase() ?? '';
  return CODE.test(code) ? code : undefined;
};

type PlanFilterProps = { manager: CustomerManager; plan: string | undefined; onChange: (changes: { plan: string }) => void };

/** Limits a list of customers to those with one plan. It is not shown while the built-in plan is the only one. */
export const PlanFilter = ({ manager, plan, onChange }: PlanFilterProps) => {
  const { data: plans = [] } = useQuery(planNamesQuery(manager));
  if (plans.length < 2 && plan === undefined) return null;
  const isListed = plan === undefined || plans.some(({ code }) => code === plan);
  return (
    <Box w={{ base: 'full', md: '170px' }}>
      <Select aria-label={texts.label} value={plan ?? ''} onChange={({ target }) => onChange({ plan: target.value })}>
        <option value="">{texts.all}</option>
        {!isListed && <option value={plan}>{plan}</option>}
        {plans.map(({ code, name }) => (
          <option key={code} value={code}>
            {texts.choice({ code, name })}
          </option>
        ))}
      </Select>
    </Box>
  );
};
