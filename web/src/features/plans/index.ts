export { LazyPlanOffer } from './components/LazyPlanOffer.ts';
export { newPlan, PlanField, planFieldLabels, useChosenPlan, withPlan } from './components/PlanField.tsx';
export { planTexts } from './texts.ts';
