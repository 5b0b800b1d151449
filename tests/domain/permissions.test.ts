import { describe, expect, it } from 'vitest';
import {
  allowedBy,
  FULL_ROLE,
  PERMISSIONS,
  permissionsOfRole,
  permissionsOfTenant,
  ROLES,
  type TenantKind,
  TOOL_PERMISSIONS,
} from '../../src/domain/permissions.ts';

const TENANTS = Object.keys(ROLES) as TenantKind[];
const READ_ONLY = ['read', 'end'];

describe('the permission table', () => {
  it('grants each permission to the full role of at least one kind of tenant', () => {
    const granted = new Set(TENANTS.flatMap((tenant) => [...permissionsOfTenant(tenant)]));
    expect([...granted].sort()).toEqual([...PERMISSIONS].sort());
  });

  it.each(TENANTS)('grants no role of %s more than the full role', (tenant) => {
    const full = permissionsOfRole(tenant, FULL_ROLE[tenant]);
    expect(full).toEqual(permissionsOfTenant(tenant));
    for (const role of ROLES[tenant])
      expect([...permissionsOfRole(tenant, role)].filter((permission) => !full.has(permission))).toEqual([]);
  });

  it.each([
    ['administration', 'auditor'],
    ['integrator', 'auditor'],
    ['customer', 'stakeholder'],
  ] as const)('lets %s: %s only read, and no key', (tenant, role) => {
    const permissions = [...permissionsOfRole(tenant, role)];
    expect(permissions.filter((permission) => !READ_ONLY.includes(permission.split(':')[1] ?? ''))).toEqual([]);
    expect(permissions).not.toContain('keys:read');
    expect(permissions).not.toContain('masterKey:read');
  });

  it('lets only the full role manage members, API tokens and the sign-in policy', () => {
    for (const tenant of TENANTS) {
      for (const role of ROLES[tenant].filter((other) => other !== FULL_ROLE[tenant])) {
        for (const permission of ['members:write', 'tokens:write', 'policy:write', 'sessions:revoke'] as const) {
          expect([tenant, role, permission, permissionsOfRole(tenant, role).has(permission)]).toEqual([
            tenant,
            role,
            permission,
            false,
          ]);
        }
      }
    }
  });

  it('lets every role read and end the own session', () => {
    for (const tenant of TENANTS) {
      for (const role of ROLES[tenant]) {
        expect(permissionsOfRole(tenant, role)).toContain('ownSession:read');
        expect(permissionsOfRole(tenant, role)).toContain('ownSession:end');
      }
    }
  });

  it('gives the tool of a user what the developer may do at most', () => {
    const developer = permissionsOfRole('customer', 'developer');
    expect([...TOOL_PERMISSIONS].filter((permission) => !developer.has(permission))).toEqual([]);
  });

  it('says what each permission allows', () => {
    for (const permission of PERMISSIONS) expect(allowedBy(permission)).toMatch(/^[a-z]/);
  });

  it('knows no role of another kind of tenant', () => {
    expect(() => permissionsOfRole('customer', 'owner')).toThrow('A tenant of the kind customer has no role owner');
  });
});
