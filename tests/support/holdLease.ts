import { connectDatabase } from '../../src/database/database.ts';
import { listenTo } from '../../src/database/listen.ts';
import { createConnections } from '../../src/live/connections.ts';
import { PRESENCE_CHANNEL } from '../../src/live/presence.ts';

/** A node that holds one lease until it is killed. Arguments: the database, seconds of a lease, the connection as JSON. */
const [databaseUrl = '', leaseS = '', connection = ''] = process.argv.slice(3);

const onError = (error: unknown): void => console.error(error);
const { db } = connectDatabase(databaseUrl, { onError });
const notices = listenTo(databaseUrl, [PRESENCE_CHANNEL], { onError });
await notices.start();
const connections = createConnections({ db, notices, node: 'killed', onError, leaseS: Number(leaseS), renewMs: 300 });
await connections.start();
await connections.open(JSON.parse(connection));
console.log('held');
