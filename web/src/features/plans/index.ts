export { newPlan, PlanField, planFieldLabels, useChosenPlan, withPlan } from './components/PlanField.tsx';
export { planTexts } from './texts.ts';
