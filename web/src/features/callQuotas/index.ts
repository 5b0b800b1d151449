export { CallQuotaBadge } from './components/CallQuotaBadge.tsx';
export { CallQuotaMeter } from './components/CallQuotaMeter.tsx';
export { CallQuotaNotice } from './components/CallQuotaNotice.tsx';
