import type { Commands } from '../commands/commands.ts';
import { ownerOf, streams } from '../commands/streams.ts';
import { type Policy, policyOn } from './engine/policy.ts';

/** Expires each credential at its time. */
export const expireCredentials = ({ commands }: { commands: Commands }): Policy =>
  policyOn({
    name: 'expireCredentials',
    eventTypes: ['CredentialStored', 'CredentialRevised', 'CredentialExpired', 'CredentialDeleted'],
    react: async ({ event, stream }, { notes }) => {
      switch (event.type) {
        case 'CredentialStored':
        case 'CredentialRevised': {
          const { customerId, expiresAt } = event.data;
          if (expiresAt !== null) await notes.put(stream, streams.customer(customerId), new Date(expiresAt));
          else if (event.type === 'CredentialRevised' && event.data.cleared.includes('expiresAt')) await notes.remove(stream);
          return;
        }
        case 'CredentialExpired':
        case 'CredentialDeleted':
          return notes.remove(stream);
      }
    },
    onDue: async ({ key, value }, { metaFor }) => {
      const credentialId = ownerOf.credential(key);
      await commands.credentials.handle({
        type: 'ExpireCredential',
        data: { credentialId, customerId: ownerOf.customer(value) },
        meta: metaFor(null),
      });
    },
  });
