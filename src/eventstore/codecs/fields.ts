import { z } from 'zod';
import type { ConnectionId, CredentialId, CustomerId, IntegratorId, ThemeId, UserId } from '../../domain/ids.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

const idOf = <Id extends string>() => z.custom<Id>(isUuid, 'Must be a UUID in lower case');

export const customerId = idOf<CustomerId>();
export const integratorId = idOf<IntegratorId>();
export const userId = idOf<UserId>();
export const themeId = idOf<ThemeId>();
export const credentialId = idOf<CredentialId>();
export const connectionId = idOf<ConnectionId>();

/** Sealed fields read `[erased]` one day, so none of them is more than a text. */
export const text = z.string();
export const textOrNull = z.string().nullable();
export const noData = z.strictObject({});
