import { format } from '../../lib/format.ts';

export const offlineTexts = {
  open: 'Offline license',
  valid: 'Valid offline licenses',
  validSub: 'They work without a connection and cannot be revoked.',
  unnamed: 'Unnamed machine',
  validUntil: 'Valid until',
  title: 'Offline license',
  titleOf: (username: string): string => `Offline license for ${username}`,
  description:
    'For a machine without a connection: it is valid for as many days as the plan of the license says. Download the file, copy it to the machine and run latchkey license import.',
  fields: { fingerprint: 'Fingerprint of the machine', machineName: 'Machine name' } as const,
  fingerprintHint: 'Run latchkey license fingerprint on the machine.',
  machineNameHint: 'Identifies the machine in the history.',
  submit: 'Download',
  submitting: 'Issuing…',
  issued: (expiresAt: string): string => `Offline license issued until ${format.dateTime(expiresAt)}`,
  failed: 'Failed to issue the offline license',
  fileName: (fingerprint: string): string => `offline-license-${fingerprint.slice(0, 8)}.json`,
} as const;
