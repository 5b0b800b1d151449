export {
  customerImpactQuery,
  integratorImpactQuery,
  severalCustomersImpactQuery,
  severalUsersImpactQuery,
  userImpactQuery,
} from './api/impact.ts';
export { ConfirmCustomerChange } from './components/ConfirmCustomerChange.tsx';
export { ConfirmIntegratorChange } from './components/ConfirmIntegratorChange.tsx';
export { Effects, usersOf } from './components/Effects.tsx';
export {
  changeOf,
  consequenceOf,
  effectsOfDeletion,
  effectsOfIntegratorDeletion,
  effectsOfIntegratorRevert,
  effectsOfRevert,
  effectsOnSeveral,
  effectsOnSeveralUsers,
  effectsOnUser,
  integratorConsequenceOf,
} from './effects.ts';
