export { acceptOffer, moveLicense, movePreview, offerPreview, type Preview } from './api/planOffers.ts';
export { LazyPlanOffer } from './components/LazyPlanOffer.ts';
export { newPlan, PlanField, planFieldLabels, useChosenPlan, withPlan } from './components/PlanField.tsx';
export { PlanFilter, planIn } from './components/PlanFilter.tsx';
export { PlanMoveButton } from './components/PlanMoveButton.tsx';
export { type PlanMove, PlanMoveFields } from './components/PlanMoveFields.tsx';
export { planTexts } from './texts.ts';
