import type { Credential } from '../../../../../src/contracts/credentials.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { credentialTexts } from '../texts.ts';

/** Whether a credential works, as its last test found. */
export const CredentialStatus = ({ status }: Pick<Credential, 'status'>) => (
  <StatusBadge status={status ?? 'untested'}>{credentialTexts.statuses[status ?? 'untested']}</StatusBadge>
);
