export { EntitlementsCard } from './components/EntitlementsCard.tsx';
export { entitlementTexts } from './texts.ts';
