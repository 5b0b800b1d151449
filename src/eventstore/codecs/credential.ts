import { z } from 'zod';
import type { CredentialEvent } from '../../domain/credential/events.ts';
import { type CategoryCodec, first } from './codec.ts';
import { credentialId, customerId, noData, text, textOrNull } from './fields.ts';

export const credentialCodec: CategoryCodec<CredentialEvent> = {
  ownerOf: (_id, { customerId }) => (typeof customerId === 'string' ? `customer:${customerId}` : null),
  events: {
    CredentialStored: first(
      z.strictObject({
        credentialId,
        customerId,
        service: z.enum(['jira', 'azdo', 'confluence']),
        instanceUrl: text,
        username: text,
        password: text,
        apiToken: textOrNull,
        expiresAt: textOrNull,
      }),
      ['username', 'password', 'apiToken'],
    ),
    CredentialRevised: first(
      z.strictObject({
        customerId,
        instanceUrl: text,
        username: text,
        password: textOrNull,
        apiToken: textOrNull,
        expiresAt: textOrNull,
      }),
      ['username', 'password', 'apiToken'],
    ),
    CredentialTested: first(z.strictObject({ ok: z.boolean(), detail: text, durationMs: z.number() })),
    CredentialExpired: first(noData),
    CredentialDeleted: first(noData),
  },
};
