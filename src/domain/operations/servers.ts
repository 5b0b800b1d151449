import { accept, type Command, type Decider } from '../decider.ts';
import type { ReadModelsRebuilt, ServerEvent, ServerStarted } from './events.ts';

/** A process of the server has started. */
type RecordServerStart = Command<'RecordServerStart', Pick<ServerStarted['data'], 'version' | 'roles'>>;
/** Read models were built again. */
type RecordRebuild = Command<'RecordRebuild', ReadModelsRebuilt['data']>;
/** All commands to the stream of the servers. */
export type ServerCommand = RecordServerStart | RecordRebuild;

/** The version of the newest start; null before the first one. */
export type Servers = Readonly<{ version: string | null }>;

/** Starts and rebuilds are recorded as they happened: nothing is refused. */
export const serversDecider: Decider<ServerCommand, Servers, ServerEvent, never> = {
  initial: { version: null },
  decide: ({ type, data }, { version }) => {
    switch (type) {
      case 'RecordServerStart':
        return accept({ type: 'ServerStarted', data: { version: data.version, replaced: version, roles: data.roles } });
      case 'RecordRebuild':
        return accept({ type: 'ReadModelsRebuilt', data: { group: data.group } });
    }
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ServerStarted':
        return { version: event.data.version };
      case 'ReadModelsRebuilt':
        return state;
    }
  },
};
