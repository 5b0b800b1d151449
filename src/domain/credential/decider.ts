import { accept, type Decider, type Decision, refuse } from '../decider.ts';
import type { Service } from '../enumerations.ts';
import type { CredentialCommand, ExpireCredential, ReviseCredential, StoreCredential } from './commands.ts';
import type { Clearable, CredentialEvent, CredentialExpired, CredentialRevised, CredentialStored } from './events.ts';
import { type Credential, type CredentialState, evolve } from './evolve.ts';

/**
 * Why a command to a credential is refused. `secret_missing`: neither a password nor, for Jira, an API token.
 * `secret_required`: a new address needs all secrets again.
 */
export type CredentialRefusal = 'credential_not_found' | 'credential_deleted' | 'secret_required' | 'secret_missing';

type Decided<E extends CredentialEvent = CredentialEvent> = Decision<E, CredentialRefusal>;

type Secrets = Readonly<{ service: Service; password: string | null; apiToken: string | null }>;

/** Jira accepts an API token instead of the password. */
const canSignIn = ({ service, password, apiToken }: Secrets): boolean =>
  password !== null || (service === 'jira' && apiToken !== null);

const store = ({ data }: StoreCredential): Decided<CredentialStored> => {
  if (!canSignIn(data)) return refuse('secret_missing');
  return accept({
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
};

const CLEARABLE = ['password', 'apiToken', 'expiresAt'] as const satisfies readonly Clearable[];

/** A new address requires every secret again, so that none is sent to a server that another user chose. */
const revise = ({ data }: ReviseCredential, credential: Credential): Decided<CredentialRevised> => {
  const { customerId, instanceUrl, username } = data;
  const after = {
    service: credential.service,
    password: data.password === undefined ? credential.password : data.password,
    apiToken: data.apiToken === undefined ? credential.apiToken : data.apiToken,
    expiresAt: data.expiresAt === undefined ? credential.expiresAt : data.expiresAt,
  };
  const withheld =
    (data.password === undefined && credential.password !== null) || (data.apiToken === undefined && credential.apiToken !== null);
  if (instanceUrl !== credential.instanceUrl && withheld) return refuse('secret_required');
  if (!canSignIn(after)) return refuse('secret_missing');
  const cleared = CLEARABLE.filter((field) => after[field] === null && credential[field] !== null);
  const same =
    cleared.length === 0 &&
    instanceUrl === credential.instanceUrl &&
    username === credential.username &&
    CLEARABLE.every((field) => after[field] === credential[field]);
  if (same) return accept();
  const { password = null, apiToken = null, expiresAt = null } = data;
  return accept({
    type: 'CredentialRevised',
    data: { customerId, instanceUrl, username, password, apiToken, expiresAt, cleared },
  });
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
