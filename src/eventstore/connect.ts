import { EventStoreDBClient } from '@eventstore/db-client';

/** The schemes of KurrentDB, which the client knows as `esdb`. */
const KURRENTDB = /^(?:kurrentdb|kurrent|kdb)(\+discover)?:\/\//;
const UNIX = 'esdb+unix:';

const SETTINGS = ['connectionName', 'defaultDeadline', 'keepAliveInterval', 'keepAliveTimeout', 'throwOnAppendFailure'] as const;

const millisecondsFrom = (name: string, text: string): number => {
  const milliseconds = Number(text);
  if (!Number.isSafeInteger(milliseconds))
    throw new Error(`${name} of the event store must be a whole number of milliseconds, not '${text}'`);
  return milliseconds;
};

/** Uses the constructor, which accepts any gRPC target, because the client's connection strings do not support sockets. */
const clientOfSocket = (connectionString: string): EventStoreDBClient => {
  const url = new URL(connectionString);
  if (url.host || url.pathname.length < 2)
    throw new Error(`The path of a socket must be absolute, as in ${UNIX}///run/eventstore.sock`);
  const unknown = [...url.searchParams.keys()].find((name) => !SETTINGS.some((setting) => setting === name));
  if (unknown) throw new Error(`${unknown} is not a setting of an event store on a socket; use ${SETTINGS.join(', ')}`);
  const milliseconds = (name: (typeof SETTINGS)[number]) => {
    const text = url.searchParams.get(name);
    return text === null ? {} : { [name]: millisecondsFrom(name, text) };
  };
  const connectionName = url.searchParams.get('connectionName');
  return new EventStoreDBClient(
    {
      endpoint: `unix:${decodeURIComponent(url.pathname)}`,
      ...milliseconds('defaultDeadline'),
      ...milliseconds('keepAliveInterval'),
      ...milliseconds('keepAliveTimeout'),
      ...(connectionName === null ? {} : { connectionName }),
      throwOnAppendFailure: url.searchParams.get('throwOnAppendFailure') !== 'false',
    },
    { insecure: true },
  );
};

/**
 * Creates a client from a connection string: `esdb://` and `esdb+discover://` as EventStoreDB documents them, the same with
 * `kurrentdb`, or `esdb+unix:///path/of/a.sock` for a Unix socket. Throws for any other string. The client connects on first use.
 */
export const clientOf = (connectionString: string): EventStoreDBClient =>
  connectionString.startsWith(UNIX)
    ? clientOfSocket(connectionString)
    : EventStoreDBClient.connectionString(connectionString.replace(KURRENTDB, 'esdb$1://'));
