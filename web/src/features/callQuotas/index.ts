export { CallQuotaBadge } from './components/CallQuotaBadge.tsx';
export { CallQuotaFields, callQuotaLabels, typedCallQuota, withCallQuota } from './components/CallQuotaFields.tsx';
export { CallQuotaFilter, quotaIn } from './components/CallQuotaFilter.tsx';
export { CallQuotaMeter } from './components/CallQuotaMeter.tsx';
export { CallQuotaNotice } from './components/CallQuotaNotice.tsx';
export { callQuotaTexts } from './texts.ts';
