export {
  customerImpactQuery,
  integratorImpactQuery,
  memberImpactQuery,
  severalCustomersImpactQuery,
  severalIntegratorsImpactQuery,
  severalUsersImpactQuery,
  userImpactQuery,
} from './api/impact.ts';
export { ownKeyImpactQuery, themeImpactQuery } from './api/ownImpact.ts';
export { ConfirmCustomerChange } from './components/ConfirmCustomerChange.tsx';
export { ConfirmIntegratorChange } from './components/ConfirmIntegratorChange.tsx';
export { EffectList, Effects, usersOf } from './components/Effects.tsx';
export { SeatEffects } from './components/SeatEffects.tsx';
export {
  changeOf,
  consequenceOf,
  effectsOfDeletion,
  effectsOfFreeing,
  effectsOfIntegratorDeletion,
  effectsOfRevert,
  effectsOnIntegrator,
  effectsOnLicense,
  effectsOnLicenses,
  effectsOnSeveral,
  effectsOnSeveralIntegrators,
  effectsOnSeveralUsers,
  effectsOnUser,
  integratorConsequenceOf,
} from './effects.ts';
export { effectsOnMember, effectsOnSignIns } from './signInEffects.ts';
