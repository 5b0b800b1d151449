import { z } from 'zod';
import type { CredentialEvent } from '../../domain/credential/events.ts';
import { SERVICES } from '../../domain/enumerations.ts';
import { type CategoryCodec, eventCodec, first, formerShape, shape } from './codec.ts';
import { credentialId, customerId, noData, text, textOrNull } from './fields.ts';

const SECRETS: ('username' | 'password' | 'apiToken')[] = ['username', 'password', 'apiToken'];

/** Version 1 requires a password. */
const stored = z.strictObject({
  credentialId,
  customerId,
  service: z.enum(SERVICES),
  instanceUrl: text,
  username: text,
  password: textOrNull,
  apiToken: textOrNull,
  expiresAt: textOrNull,
});

/** Version 1 has no `cleared`. */
const revised = z.strictObject({
  customerId,
  instanceUrl: text,
  username: text,
  password: textOrNull,
  apiToken: textOrNull,
  expiresAt: textOrNull,
});

export const credentialCodec: CategoryCodec<CredentialEvent> = {
  ownerOf: (_id, { customerId }) => (typeof customerId === 'string' ? `customer:${customerId}` : null),
  events: {
    CredentialStored: eventCodec({ 1: shape(stored.extend({ password: text }), SECRETS), 2: shape(stored, SECRETS) }),
    CredentialRevised: eventCodec({
      1: formerShape(revised, SECRETS, (former) => ({ ...former, cleared: [] })),
      2: shape(revised.extend({ cleared: z.array(z.enum(['password', 'apiToken', 'expiresAt'])) }), SECRETS),
    }),
    CredentialTested: first(z.strictObject({ ok: z.boolean(), detail: text, durationMs: z.number() })),
    CredentialExpired: first(noData),
    CredentialDeleted: first(noData),
  },
};
