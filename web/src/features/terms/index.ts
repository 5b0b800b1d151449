export { LazyTermBanner } from './components/LazyTermBanner.ts';
export { NewTermFields, newTerm, termFieldLabels, withTerm } from './components/NewTermFields.tsx';
export { TermBadge } from './components/TermBadge.tsx';
export { TermCard } from './components/TermCard.tsx';
export { TermFilterSelect, termIn } from './components/TermFilterSelect.tsx';
export { renewalMonths } from './dialogTexts.ts';
export { termTexts } from './texts.ts';
