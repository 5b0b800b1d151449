export { callsAddress } from './components/callAddress.ts';
export { callTexts } from './texts.ts';
