import { INVITATION_MS, MAX_MEMBERS } from '../../../src/domain/limits.ts';
import type { InviteMember } from '../../../src/domain/team/commands.ts';
import { teamIdOf } from '../../../src/domain/team/teamId.ts';
import { invitationHash } from '../../../src/security/invitations.ts';
import { asIntegrator, type Client, clientOf, newIntegrator } from '../../support/apiClient.ts';
import { metaOf } from '../../support/builders/command.ts';
import { type integratorIdOf, invitationIdOf, userIdOf } from '../../support/builders/ids.ts';
import { asIntegratorMember, codeOf, invite, join, login, PASSWORD } from '../../support/members.ts';
import { type Caused, fromElsewhere, type Situation, type SituationContext } from './situation.ts';
import { MISSING } from './testAccounts.ts';

const MEMBERS = '/api/team/members';
const POLICY = '/api/team/policy';

/** A service integrator whose team no other situation uses. */
const newPartner = async ({ admin, url }: SituationContext): Promise<{ partner: Client; masterLicenseKey: string; id: string }> => {
  const integrator = await newIntegrator(admin, { companyName: 'Team' });
  return { partner: await asIntegrator(url, integrator), ...integrator };
};

const plain = { secondFactor: false };

/** An invitation that was appended with this data, and the token of its link. */
const appended = async (
  { server }: SituationContext,
  integratorId: string,
  overrides: Partial<InviteMember['data']>[],
): Promise<string> => {
  const teamId = teamIdOf({ kind: 'integrator', integratorId: integratorId as ReturnType<typeof integratorIdOf> });
  const secret = 's'.repeat(43);
  const outcome = await server.product.commands.teams.handle(
    overrides.map((data, index) => ({
      type: 'InviteMember' as const,
      data: {
        teamId,
        userId: userIdOf(`${integratorId} ${index}`),
        invitationId: invitationIdOf(`${integratorId} ${index}`),
        name: `Member ${index}`,
        email: `member-${index}@team.example`,
        role: 'auditor' as const,
        tokenHash: invitationHash(secret),
        expiresAt: new Date(Date.now() + INVITATION_MS).toISOString(),
        ...data,
      },
      meta: metaOf(),
    })),
  );
  if (!outcome.accepted) throw new Error(`The invitations were refused: ${outcome.refusal}`);
  if (outcome.position !== null) await server.product.queries.team.members(teamId);
  return `${invitationIdOf(`${integratorId} 0`)}.${secret}`;
};

/** What is refused about named users and their sign-in. */
export const teamSituations = {
  member_not_found: {
    cause: ({ mine }) => mine.partner.delete(`${MEMBERS}/${MISSING}`),
    status: 404,
    error: 'Named user not found',
  },
  member_exists: {
    cause: async (context) => {
      const { partner } = await newPartner(context);
      const { userId } = await join(context.url, await invite(partner, 'owner'), plain);
      return partner.post(`${MEMBERS}/${userId}/invitation`);
    },
    status: 409,
    error: 'This named user has joined already',
  },
  member_email_taken: {
    cause: async (context) => {
      const { partner } = await newPartner(context);
      const { email } = await invite(partner, 'owner');
      return partner.post(MEMBERS, { name: 'Any', email: email.toUpperCase(), role: 'auditor' });
    },
    status: 409,
    error: 'Another named user has this email address. Use another one.',
  },
  member_limit_reached: {
    cause: async (context) => {
      const { partner, id } = await newPartner(context);
      await appended(
        context,
        id,
        Array.from({ length: MAX_MEMBERS }, () => ({})),
      );
      return partner.post(MEMBERS, { name: 'Any', email: 'one-more@team.example', role: 'auditor' });
    },
    status: 409,
    error: 'There are 1,000 named users, the maximum. Remove one first.',
  },
  role_unknown: {
    cause: ({ mine }) => mine.partner.post(MEMBERS, { name: 'Any', email: 'any@team.example', role: 'operator' }),
    status: 400,
    error: 'This role does not exist here. Choose another one.',
  },
  last_owner: {
    cause: async (context) => {
      const { partner } = await newPartner(context);
      const { userId } = await join(context.url, await invite(partner, 'owner'), plain);
      return partner.delete(`${MEMBERS}/${userId}`);
    },
    status: 409,
    error: 'This is the last owner or admin. Give another named user this role first.',
  },
  invitation_not_found: {
    cause: ({ url }) =>
      clientOf(url).post('/api/auth/invitation', { token: `${MISSING}.${'a'.repeat(43)}` }, { headers: fromElsewhere() }),
    status: 404,
    error: 'This invitation was used, replaced or withdrawn. Ask for a new one.',
  },
  invitation_expired: {
    cause: async (context) => {
      const { partner, id } = await newPartner(context);
      const token = await appended(context, id, [{ expiresAt: '2026-01-01T00:00:00.000Z' }]);
      await invite(partner, 'auditor'); // its reply waited until the read models had the first one
      return clientOf(context.url).post('/api/auth/invitation', { token }, { headers: fromElsewhere() });
    },
    status: 409,
    error: 'This invitation has expired. Ask for a new one.',
  },
  second_factor_required: {
    cause: async (context) => {
      const { partner } = await newPartner(context);
      await partner.put(POLICY, { secondFactorRequired: true });
      const { token } = await invite(partner, 'owner');
      return clientOf(context.url).post('/api/auth/join', { token, password: PASSWORD });
    },
    status: 409,
    error: 'A second factor is required. Add a passkey or turn on one-time passwords.',
  },
  owners_without_second_factor: {
    cause: ({ mine }) => mine.partner.put(POLICY, { keySignIn: 'off' }),
    status: 409,
    error: 'Sign-in with the key can be off only while two owners have a second factor.',
  },
  members_without_second_factor: {
    cause: async (context) => {
      const { partner } = await newPartner(context);
      await join(context.url, await invite(partner, 'owner'), plain);
      return partner.put(POLICY, { secondFactorRequired: true });
    },
    status: 409,
    error: 'Not all named users have a second factor. Ask them to add a passkey or to turn on one-time passwords first.',
  },
  wrong_email_or_password: {
    cause: ({ url }) =>
      clientOf(url).post(
        '/api/auth/admin/member-login',
        { email: 'nobody@team.example', password: PASSWORD },
        { headers: fromElsewhere() },
      ),
    status: 401,
    error: 'The email address or the password is wrong',
  },
  tenant_required: {
    cause: async (context) => {
      const email = 'consultant@team.example';
      for (const { partner } of [await newPartner(context), await newPartner(context)]) {
        const { body } = await partner.post(MEMBERS, { name: 'Consultant', email, role: 'auditor' });
        await join(context.url, { userId: body.member.userId, email, token: body.path.split('#')[1] ?? '' }, plain);
      }
      return login(context.url, 'service-integrator', { email });
    },
    status: 401,
    error: 'Your email address and password belong to more than one account. Choose where to sign in.',
  },
  code_required: {
    cause: async (context) => {
      const { partner } = await newPartner(context);
      return login(context.url, 'service-integrator', await join(context.url, await invite(partner, 'owner')));
    },
    status: 401,
    error: 'Enter the code of your authenticator app, or a recovery code.',
  },
  wrong_code: {
    cause: async (context) => {
      const { partner } = await newPartner(context);
      const { email, secret } = await join(context.url, await invite(partner, 'owner'));
      return login(context.url, 'service-integrator', { email, code: codeOf(secret ?? '', 1_000) });
    },
    status: 401,
    error: 'The code is wrong or was used already. Wait for the next one.',
  },
  code_not_confirmed: {
    cause: async (context) => {
      const { partner } = await newPartner(context);
      const member = await asIntegratorMember(context.url, await join(context.url, await invite(partner, 'owner'), plain));
      const { secret } = (await member.post('/api/account/second-factor')).body;
      return member.put('/api/account/second-factor', { currentPassword: PASSWORD, secret, code: codeOf(secret, 1_000) });
    },
    status: 400,
    error: 'The code does not belong to this secret. Enter the code that your authenticator app shows now.',
  },
  wrong_own_password: {
    cause: async (context) => {
      const { partner } = await newPartner(context);
      const member = await asIntegratorMember(context.url, await join(context.url, await invite(partner, 'owner'), plain));
      return member.post('/api/account/second-factor/disable', { currentPassword: 'wrong' });
    },
    status: 400,
    error: 'The current password is wrong',
  },
  member_required: {
    cause: ({ mine }) => mine.partner.post('/api/account/second-factor'),
    status: 403,
    error: 'You signed in with a key. Sign in with your account first.',
  },
  key_sign_in_off: {
    cause: async (context) => {
      const { partner, masterLicenseKey } = await newPartner(context);
      for (const _owner of [1, 2]) await join(context.url, await invite(partner, 'owner'));
      await partner.put(POLICY, { keySignIn: 'off' });
      return clientOf(context.url).post('/api/auth/service-integrator/login', { masterLicenseKey });
    },
    status: 403,
    error: 'Sign-in with the key is turned off. Sign in with your account.',
  },
} satisfies Partial<Record<Caused, Situation>>;
