import { below, hasText, memberOf, type ThirdParty } from './thirdParty.ts';

const isCloud = ({ hostname }: URL): boolean => hostname.endsWith('.atlassian.net');

/** In the cloud Confluence lives below /wiki of the site, which people leave out as often as not. */
const root = (base: URL): URL => (isCloud(base) && !base.pathname.endsWith('/wiki') ? below(base, '/wiki') : base);

/** With a login it does not take, a site that is open to the public answers as to anybody. */
export const confluence: ThirdParty = {
  name: 'Confluence',
  loginName: () => 'username or the password',
  endpoint: (base) => below(root(base), '/rest/api/user/current'),
  basic: ({ username, password }) => ({ user: username, secret: password ?? '' }),
  headers: {},
  recognise: (body) => {
    const type = memberOf(body, 'type');
    if (type === 'anonymous') return 'anonymous';
    return type === 'known' && hasText(body, 'accountId', 'userKey', 'username') ? 'signed_in' : 'stranger';
  },
  asksToSignIn: () => false,
};
