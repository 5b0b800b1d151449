import { describe, expect, it } from 'vitest';
import { credentialDecider } from '../../src/domain/credential/decider.ts';
import {
  credentialDeleted,
  credentialExpired,
  credentialRevised,
  credentialStored,
  credentialTested,
} from '../support/builders/credential.ts';
import {
  deleteCredential,
  expireCredential,
  recordCredentialTest,
  reviseCredential,
  storeCredential,
} from '../support/builders/credentialCommands.ts';
import { customerIdOf } from '../support/builders/ids.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(credentialDecider);

describe('storing a credential', () => {
  it('happens once', () => {
    given().when(storeCredential()).then(credentialStored());
    given(credentialStored()).when(storeCredential()).thenNothing();
    given(credentialStored(), credentialDeleted()).when(storeCredential()).thenRefused('credential_deleted');
  });

  it('requires a password, or for Jira an API token', () => {
    given()
      .when(storeCredential({ password: null, apiToken: 'token' }))
      .then(credentialStored({ password: null, apiToken: 'token' }));
    given()
      .when(storeCredential({ password: null }))
      .thenRefused('secret_missing');
    given()
      .when(storeCredential({ service: 'azdo', password: null, apiToken: 'token' }))
      .thenRefused('secret_missing');
  });

  it('has the status untested', () => {
    expect(given().when(storeCredential()).state).toMatchObject({ status: 'untested' });
  });
});

describe('revising a credential', () => {
  it('keeps the secrets that are not given again', () => {
    const revised = given(credentialStored()).when(reviseCredential({ username: 'robot' }));
    revised.then(credentialRevised({ username: 'robot' }));
    expect(revised.state).toMatchObject({ username: 'robot', password: 'secret', status: 'untested' });
  });

  it('requires the password again for a new address', () => {
    given(credentialStored())
      .when(reviseCredential({ instanceUrl: 'https://evil.example' }))
      .thenRefused('secret_required');
    given(credentialStored())
      .when(reviseCredential({ instanceUrl: 'https://new.example', password: 'again' }))
      .then(credentialRevised({ instanceUrl: 'https://new.example', password: 'again' }));
  });

  it('requires the API token again too if there is one', () => {
    const stored = given(credentialStored({ apiToken: 'token' }));
    const moved = { instanceUrl: 'https://new.example', password: 'again' };
    stored.when(reviseCredential(moved)).thenRefused('secret_required');
    stored.when(reviseCredential({ ...moved, apiToken: 'token-2' })).then(credentialRevised({ ...moved, apiToken: 'token-2' }));
  });

  it('removes what is given as null', () => {
    const stored = given(credentialStored({ apiToken: 'token', expiresAt: '2027-01-01T00:00:00Z' }));
    const withoutToken = stored.when(reviseCredential({ apiToken: null, expiresAt: null }));
    withoutToken.then(credentialRevised({ cleared: ['apiToken', 'expiresAt'] }));
    expect(withoutToken.state).toMatchObject({ password: 'secret', apiToken: null, expiresAt: null });
    const withoutPassword = stored.when(reviseCredential({ password: null }));
    withoutPassword.then(credentialRevised({ cleared: ['password'] }));
    expect(withoutPassword.state).toMatchObject({ password: null, apiToken: 'token', expiresAt: '2027-01-01T00:00:00Z' });
    given(credentialStored())
      .when(reviseCredential({ apiToken: null, expiresAt: null }))
      .thenNothing();
  });

  it('cannot remove the last secret that the service accepts', () => {
    given(credentialStored())
      .when(reviseCredential({ password: null }))
      .thenRefused('secret_missing');
    given(credentialStored({ service: 'azdo' }))
      .when(reviseCredential({ password: null, apiToken: 'token' }))
      .thenRefused('secret_missing');
    given(credentialStored({ password: null, apiToken: 'token' }))
      .when(reviseCredential({ apiToken: null }))
      .thenRefused('secret_missing');
  });

  it('sends no removed secret to a new address', () => {
    given(credentialStored({ apiToken: 'token' }))
      .when(reviseCredential({ instanceUrl: 'https://new.example', password: null, apiToken: 'again' }))
      .then(credentialRevised({ instanceUrl: 'https://new.example', apiToken: 'again', cleared: ['password'] }));
  });

  it('writes nothing when nothing changes', () => {
    given(credentialStored())
      .when(reviseCredential({ password: 'secret' }))
      .thenNothing();
  });

  it('returns an expired one to untested', () => {
    const revised = given(credentialStored({ expiresAt: '2026-01-01T00:00:00Z' }), credentialExpired()).when(
      reviseCredential({ password: 'new', expiresAt: '2027-01-01T00:00:00Z' }),
    );
    expect(revised.state).toMatchObject({ status: 'untested', expiresAt: '2027-01-01T00:00:00Z' });
  });
});

describe('testing a credential', () => {
  it('connects it or shows the error', () => {
    const good = given(credentialStored()).when(recordCredentialTest(true));
    good.then(credentialTested());
    expect(good.state).toMatchObject({ status: 'connected' });
    const bad = given(credentialStored(), credentialTested()).when(recordCredentialTest(false, 'Wrong password'));
    bad.then(credentialTested(false, 'Wrong password'));
    expect(bad.state).toMatchObject({ status: 'error' });
  });

  it('ignores the result for a login that was revised during the test', () => {
    const revised = given(credentialStored(), credentialRevised({ password: 'new' }));
    revised.when(recordCredentialTest(true)).thenNothing();
    expect(revised.when(recordCredentialTest(false, 'Wrong password', 1)).state).toMatchObject({ status: 'error' });
  });

  it('does not change an expired one', () => {
    expect(given(credentialStored(), credentialExpired()).when(recordCredentialTest(true)).state).toMatchObject({
      status: 'expired',
    });
  });
});

describe('expiring a credential', () => {
  const stored = credentialStored({ expiresAt: '2026-02-01T00:00:00Z' });

  it('does nothing before its time', () => {
    given(stored).when(expireCredential('2026-01-31T23:59:59.999Z')).thenNothing();
    given(stored).when(expireCredential('2026-02-01T00:00:00.000Z')).then(credentialExpired());
  });

  it('happens once', () => {
    given(stored, credentialExpired()).when(expireCredential('2026-03-01T00:00:00.000Z')).thenNothing();
  });

  it('does nothing to one without an expiry', () => {
    given(credentialStored()).when(expireCredential('2099-01-01T00:00:00.000Z')).thenNothing();
  });
});

describe('deleting a credential', () => {
  it('happens once', () => {
    given(credentialStored()).when(deleteCredential()).then(credentialDeleted());
    given(credentialStored(), credentialDeleted()).when(deleteCredential()).thenNothing();
  });

  it('makes it unknown', () => {
    const deleted = given(credentialStored(), credentialDeleted());
    deleted.when(reviseCredential()).thenRefused('credential_not_found');
    deleted.when(recordCredentialTest(true)).thenRefused('credential_not_found');
  });
});

describe('a credential of another customer', () => {
  it('is not found', () => {
    given(credentialStored()).when(deleteCredential('rival')).thenRefused('credential_not_found');
    given(credentialStored(), credentialDeleted()).when(deleteCredential('rival')).thenRefused('credential_not_found');
    given(credentialStored())
      .when(storeCredential({ customerId: customerIdOf('rival') }))
      .thenRefused('credential_not_found');
  });

  it('has the same refusal as one that does not exist', () => {
    given().when(deleteCredential()).thenRefused('credential_not_found');
  });
});
