export { customerImpactQuery, integratorImpactQuery, severalCustomersImpactQuery } from './api/impact.ts';
export { ConfirmCustomerChange } from './components/ConfirmCustomerChange.tsx';
export { ConfirmIntegratorChange } from './components/ConfirmIntegratorChange.tsx';
export { Effects } from './components/Effects.tsx';
export {
  consequenceOf,
  effectsOfDeletion,
  effectsOfIntegratorDeletion,
  effectsOfRevert,
  effectsOnSeveral,
  integratorConsequenceOf,
} from './effects.ts';
