import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Permission, permissionsOfTenant } from '../../domain/permissions.ts';
import { keyFragmentsOf } from '../../projections/lists/keyFragments.ts';
import { type Session, TENANT_OF } from '../../security/session.ts';
import type { HttpDeps } from '../deps.ts';

/** The fields of replies that contain keys, and the permission to see them. */
const NEEDED = { licenseKey: 'keys:read', masterLicenseKey: 'masterKey:read' } as const satisfies Record<string, Permission>;
type KeyField = keyof typeof NEEDED;

const KEY_FIELDS = Object.keys(NEEDED) as readonly KeyField[];
const isKeyField = (name: unknown): name is KeyField => typeof name === 'string' && Object.hasOwn(NEEDED, name);

/** A key without its random part: `LK-ENT-••••-•••••`. */
const masked = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/[^-]+-[^-]+$/, '••••-•••••') : value);

const withoutKeys = (value: unknown, hidden: ReadonlySet<KeyField>): unknown => {
  if (Array.isArray(value)) return value.map((item) => withoutKeys(item, hidden));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  // A change of a field, as comparisons of two times contain it.
  if ('field' in value && isKeyField(value.field) && hidden.has(value.field)) {
    return Object.fromEntries(entries.map(([name, part]) => [name, name === 'field' ? part : masked(part)]));
  }
  return Object.fromEntries(
    entries.map(([name, part]) => [name, isKeyField(name) && hidden.has(name) ? masked(part) : withoutKeys(part, hidden)]),
  );
};

/**
 * The key fields that a session may not see, of those that its kind of tenant has a permission for. A key and a tool see all: they signed in
 * with the key. An API token did not.
 */
const hiddenFrom = ({ owner, role, permissions }: Session): readonly KeyField[] => {
  if (role === null && !('tokenId' in owner)) return [];
  const ofTenant = permissionsOfTenant(TENANT_OF[owner.kind]);
  return KEY_FIELDS.filter((field) => ofTenant.has(NEEDED[field]) && !permissions.has(NEEDED[field]));
};

/** Masks license keys in the replies to sessions that may not see them: a key gives all permissions of its tenant. */
export const maskKeys = (app: FastifyInstance): void => {
  app.addHook('preSerialization', (request, _reply, payload: unknown, next) => {
    const hidden = request.session ? hiddenFrom(request.session) : [];
    next(null, hidden.length > 0 ? withoutKeys(payload, new Set(hidden)) : payload);
  });
};

/** The hashes of a search text that may be part of a key; none without the permission, or searches would reveal the key. */
export const searchedKeyFragments = (
  { session }: FastifyRequest,
  { digest }: HttpDeps['keys'],
  { search = '', permission }: { search: string | undefined; permission: Permission },
): number[] => (session?.permissions.has(permission) ? keyFragmentsOf(digest, search) : []);
