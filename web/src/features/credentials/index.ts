export { firstCredentialsQuery } from './api/credentials.ts';
export { CredentialStatus } from './components/CredentialStatus.tsx';
export { credentialTexts } from './texts.ts';
