import { accept, type Decider, type Decision, refuse } from '../decider.ts';
import type { CredentialCommand, ExpireCredential, ReviseCredential, StoreCredential } from './commands.ts';
import type { CredentialEvent, CredentialExpired, CredentialRevised, CredentialStored } from './events.ts';
import { type Credential, type CredentialState, evolve } from './evolve.ts';

export type CredentialRefusal = 'credential_not_found' | 'credential_deleted' | 'secret_required';

type Decided<E extends CredentialEvent = CredentialEvent> = Decision<E, CredentialRefusal>;

const store = ({ data }: StoreCredential): Decided<CredentialStored> =>
  accept({
    type: 'CredentialStored',
    data: {
      credentialId: data.credentialId,
      customerId: data.customerId,
      service: data.service,
      instanceUrl: data.instanceUrl,
      username: data.username,
      password: data.password,
      apiToken: data.apiToken,
      expiresAt: data.expiresAt,
    },
  });

/** A new address demands every secret again, so that none can be lured to a server of somebody else's choice. */
const revise = ({ data }: ReviseCredential, credential: Credential): Decided<CredentialRevised> => {
  const { customerId, instanceUrl, username, password, apiToken, expiresAt } = data;
  const withheld = password === null || (apiToken === null && credential.apiToken !== null);
  if (instanceUrl !== credential.instanceUrl && withheld) return refuse('secret_required');
  const same =
    instanceUrl === credential.instanceUrl &&
    username === credential.username &&
    (password ?? credential.password) === credential.password &&
    (apiToken ?? credential.apiToken) === credential.apiToken &&
    (expiresAt ?? credential.expiresAt) === credential.expiresAt;
  if (same) return accept();
  return accept({ type: 'CredentialRevised', data: { customerId, instanceUrl, username, password, apiToken, expiresAt } });
};

const expire = ({ meta }: ExpireCredential, { status, expiresAt }: Credential): Decided<CredentialExpired> => {
  const isDue = expiresAt !== null && Date.parse(meta.at) >= Date.parse(expiresAt);
  return isDue && status !== 'expired' ? accept({ type: 'CredentialExpired', data: {} }) : accept();
};

const decideCredential = (command: Exclude<CredentialCommand, StoreCredential>, credential: Credential): Decided => {
  switch (command.type) {
    case 'ReviseCredential':
      return revise(command, credential);
    case 'RecordCredentialTest': {
      const { ok, detail, durationMs, revisions } = command.data;
      if (revisions !== credential.revisions) return accept();
      return accept({ type: 'CredentialTested', data: { ok, detail, durationMs } });
    }
    case 'ExpireCredential':
      return expire(command, credential);
    case 'DeleteCredential':
      return accept({ type: 'CredentialDeleted', data: {} });
  }
};

const decide = (command: CredentialCommand, state: CredentialState): Decided => {
  if (state.status === 'unknown') return command.type === 'StoreCredential' ? store(command) : refuse('credential_not_found');
  if (state.customerId !== command.data.customerId) return refuse('credential_not_found');
  if (state.status === 'deleted') {
    if (command.type === 'StoreCredential') return refuse('credential_deleted');
    return command.type === 'DeleteCredential' ? accept() : refuse('credential_not_found');
  }
  return command.type === 'StoreCredential' ? accept() : decideCredential(command, state);
};

/** A customer's login to a third-party service. To any other customer it does not exist. */
export const credentialDecider: Decider<CredentialCommand, CredentialState, CredentialEvent, CredentialRefusal> = {
  initial: { status: 'unknown' },
  decide,
  evolve,
};
