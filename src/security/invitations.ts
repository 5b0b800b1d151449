import { createHmac } from 'node:crypto';
import type { InvitationId } from '../domain/ids.ts';
import { sha256Of } from './sha256.ts';

/** The secret part of an invitation's link, made of its id by `secret` (32 bytes), so that it is stored nowhere. */
export const invitationToken = (secret: Buffer, invitationId: InvitationId): string =>
  createHmac('sha256', secret).update(invitationId).digest('base64url');

/** The hash of a token that the store keeps. */
export const invitationHash = (token: string): string => sha256Of(token);

/** The path of an invitation's link. Servers and proxies do not see what follows the #. */
export const invitationPath = (secret: Buffer, invitationId: InvitationId): string =>
  `/join#${invitationId}.${invitationToken(secret, invitationId)}`;
