export { type CustomRange, lastDays } from './api/choice.ts';
export { customerInstancesQuery, customerUsage, customerUsageQuery, ownUsageQuery, usageQuery } from './api/usage.ts';
export { FirstSteps } from './components/FirstSteps.tsx';
export { UsageFigures } from './components/LazyFigures.tsx';
export { CustomRangeFields } from './components/RangeControls.tsx';
export { InstancesSection, UsageSection } from './components/UsageSections.tsx';
export { faultOf } from './components/usageAddress.ts';
export { usageTexts } from './texts.ts';
