export { PortalPasswordFact } from './components/PortalPasswordFact.tsx';
export { RotateIntegratorKeyButton, RotateLicenseKeyButton, RotateMasterKeyButton } from './components/RotateKeyButtons.tsx';
