export { EntitlementsCard } from './components/EntitlementsCard.tsx';
export { EntitlementsField } from './components/EntitlementsField.tsx';
export { entitlementsOf, rowsOf } from './entitlementRows.ts';
export { entitlementTexts } from './texts.ts';
