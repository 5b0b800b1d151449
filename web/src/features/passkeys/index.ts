export { createPasskey, signWithPasskey } from './api/ceremonies.ts';
export { PasskeyButton } from './components/PasskeyButton.tsx';
export { nameOfThisDevice, whyNoPasskeys } from './support.ts';
export { passkeyTexts } from './texts.ts';
