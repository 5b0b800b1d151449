import { below, hasText, memberOf, type ThirdParty } from './thirdParty.ts';

const isCloud = ({ hostname }: URL): boolean => hostname.endsWith('.atlassian.net');

/** Confluence Cloud is below /wiki of the site, which users often omit. */
const root = (base: URL): URL => (isCloud(base) && !base.pathname.endsWith('/wiki') ? below(base, '/wiki') : base);

/** A public site replies to an invalid login as to an anonymous user. */
export const confluence: ThirdParty = {
  name: 'Confluence',
  loginName: () => 'username or the password',
  endpoint: (base) => below(root(base), '/rest/api/user/current'),
  basic: ({ username, password }) => ({ user: username, secret: password ?? '' }),
  headers: {},
  recognize: (body) => {
    const type = memberOf(body, 'type');
    if (type === 'anonymous') return 'anonymous';
    return type === 'known' && hasText(body, 'accountId', 'userKey', 'username') ? 'signed_in' : 'unrecognized';
  },
  asksToSignIn: () => false,
};
