import type { IntegratorsReply } from '../../../../../src/contracts/integrators.ts';
import { integratorChoicesQuery } from '../../integrators/index.ts';
import { tenantFilterTexts as texts } from '../texts.ts';
import { SearchFilter } from './SearchFilter.tsx';

const choicesOf = ({ service_integrators: integrators, total }: IntegratorsReply) => ({
  options: integrators.map(({ id, companyName }) => ({ value: id, label: companyName })),
  total,
});

type IntegratorFilterProps = {
  /** Empty for all service integrators. */
  integratorId: string;
  onChange: (integratorId: string) => void;
};

/** Limits a list to the customers of one service integrator, which is searched by name. */
export const IntegratorFilter = ({ integratorId, onChange }: IntegratorFilterProps) => (
  <SearchFilter
    texts={texts.integrator}
    value={integratorId}
    found={undefined}
    queryOf={integratorChoicesQuery}
    choicesOf={choicesOf}
    onChange={onChange}
  />
);
