export { customerInstancesQuery, customerUsageQuery, ownUsageQuery } from './api/usage.ts';
export { InstancesSection, UsageSection } from './components/UsageSections.tsx';
export { usageTexts } from './texts.ts';
