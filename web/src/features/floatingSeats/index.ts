export { FloatingSeatsField, floatingIn, typedFloating } from './components/FloatingSeatsField.tsx';
export { floatingSeatsTexts } from './texts.ts';
