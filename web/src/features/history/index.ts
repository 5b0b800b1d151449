export type { HistorySource } from './api/history.ts';
export { AsOfBanner } from './components/AsOfBanner.tsx';
export { AsOfCard } from './components/AsOfCard.tsx';
export { HistoryCard } from './components/HistoryCard.tsx';
export { LastChange } from './components/LastChange.tsx';
export { useAsOf } from './components/useAsOf.ts';
