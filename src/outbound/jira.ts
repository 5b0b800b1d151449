import { below, hasText, type ThirdParty } from './thirdParty.ts';

/** Jira Cloud identifies users by `accountId`, Data Center by `key` and `name`; both return `self`. */
export const jira: ThirdParty = {
  name: 'Jira',
  loginName: ({ apiToken }) => (apiToken ? 'username or the API token' : 'username or the password'),
  endpoint: (base) => below(base, '/rest/api/2/myself'),
  basic: ({ username, password, apiToken }) => ({ user: username, secret: apiToken || password || '' }),
  headers: {},
  recognize: (body) => (hasText(body, 'self') && hasText(body, 'accountId', 'key', 'name') ? 'signed_in' : 'unrecognized'),
  asksToSignIn: () => false,
};
