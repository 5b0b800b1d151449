export { lastDays } from './api/choice.ts';
export { customerInstancesQuery, customerUsage, customerUsageQuery, ownUsageQuery, usageQuery } from './api/usage.ts';
export { FirstSteps } from './components/FirstSteps.tsx';
export { InstancesSection, UsageSection } from './components/UsageSections.tsx';
export { usageTexts } from './texts.ts';
