import type { Logger } from 'pino';
import type { EventMeta } from '../domain/event.ts';
import type { ReadModelsRebuilt, ServerStarted } from '../domain/operations/events.ts';
import type { Product } from './product.ts';

/** Records the operation of the installation, for the history and the charts. A server that cannot record it works without. */
export const operationsLog = ({ commands, now, newId }: Pick<Product, 'commands' | 'now' | 'newId'>, log: Logger) => {
  const metaNow = (): EventMeta => {
    const commandId = newId();
    return {
      actor: { kind: 'system', id: 'server' },
      commandId,
      correlationId: commandId,
      causationId: null,
      at: new Date(now()).toISOString(),
    };
  };
  const onError = (err: unknown): void => log.warn({ err }, 'The operation of the server could not be recorded');
  return {
    started: async (data: Pick<ServerStarted['data'], 'version' | 'roles'>): Promise<void> => {
      await commands.servers.handle({ type: 'RecordServerStart', data, meta: metaNow() }).catch(onError);
    },
    rebuilt: async (group: ReadModelsRebuilt['data']['group']): Promise<void> => {
      await commands.servers.handle({ type: 'RecordRebuild', data: { group }, meta: metaNow() }).catch(onError);
    },
  };
};
