export { customerInstancesQuery, customerUsageQuery } from './api/adminUsage.ts';
export { ownUsageQuery } from './api/ownUsage.ts';
export { InstancesSection, UsageSection } from './components/UsageSections.tsx';
export { usageTexts } from './texts.ts';
