export { RecoveryCodes } from './components/RecoveryCodes.tsx';
export { SecretSetup } from './components/SecretSetup.tsx';
