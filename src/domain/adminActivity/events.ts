import type { DomainEvent } from '../event.ts';

export type AdminSignedIn = DomainEvent<'AdminSignedIn'>;
/** Refused because the key was wrong, or because the budget of attempts was used up. */
export type AdminSignInRefused = DomainEvent<'AdminSignInRefused', { reason: 'wrong_key' | 'too_many_attempts' }>;
export type AdminKeyRotated = DomainEvent<'AdminKeyRotated'>;

/** The events of the stream `adminActivity`, of which there is one. */
export type AdminActivityEvent = AdminSignedIn | AdminSignInRefused | AdminKeyRotated;
