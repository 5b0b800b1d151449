import type { Answer } from './guardedGet.ts';
import { below, hasText, memberOf, type ThirdParty } from './thirdParty.ts';

/** The anonymous user's ids, which an organization with public projects returns for an unknown token. */
const ANONYMOUS_ID = /^(0{8}-(0{4}-){3}0{12}|a{8}-(a{4}-){3}a{12})$/;

const SIGN_IN_PAGE = /\/_signin\b|\/oauth2\/|^https:\/\/(login\.microsoftonline|login\.live|login\.windows)\./i;

const asksToSignIn = ({ status, header }: Answer): boolean =>
  status === 203 || (status >= 300 && status < 400 && SIGN_IN_PAGE.test(header('location') ?? ''));

/** Without `api-version`, so that older servers are supported. */
export const azureDevOps: ThirdParty = {
  name: 'Azure DevOps',
  loginName: () => 'personal access token',
  endpoint: (base) => below(base, '/_apis/connectionData'),
  basic: ({ password }) => ({ user: '', secret: password ?? '' }),
  headers: { 'x-tfs-fedauthredirect': 'Suppress' },
  recognize: (body) => {
    const user = memberOf(body, 'authenticatedUser');
    const id = memberOf(user, 'id');
    if (!hasText(body, 'instanceId', 'deploymentId') || typeof id !== 'string') return 'unrecognized';
    const descriptor = memberOf(user, 'descriptor');
    const isPublic = typeof descriptor === 'string' && descriptor.startsWith('System:PublicAccess');
    return isPublic || ANONYMOUS_ID.test(id) ? 'anonymous' : 'signed_in';
  },
  asksToSignIn,
};
