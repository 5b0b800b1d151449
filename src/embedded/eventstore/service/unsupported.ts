import monitoring from '@eventstore/db-client/generated/monitoring_grpc_pb.js';
import operations from '@eventstore/db-client/generated/operations_grpc_pb.js';
import persistent from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import projections from '@eventstore/db-client/generated/projections_grpc_pb.js';
import users from '@eventstore/db-client/generated/users_grpc_pb.js';
import { type ServiceDefinition, status, type UntypedHandleCall } from '@grpc/grpc-js';
import { CallError, serviceErrorOf } from './callError.ts';

/** The services of EventStoreDB that this server does not implement. `Operations` is implemented in part. */
export const UNSUPPORTED_SERVICES: readonly ServiceDefinition[] = [
  persistent.PersistentSubscriptionsService,
  projections.ProjectionsService,
  users.UsersService,
  monitoring.MonitoringService,
];

export const OPERATIONS: ServiceDefinition = operations.OperationsService;

/** The server's call objects are streams, on which an error ends the call; unary calls have a callback instead. */
type Ending = { emit: (event: 'error', error: Error) => unknown };

/** A handler for each method of the service, which answers that this server does not implement it. */
export const unsupported = (service: ServiceDefinition): Record<string, UntypedHandleCall> =>
  Object.fromEntries(
    Object.entries(service).map(([name, { path }]) => {
      const error = serviceErrorOf(
        new CallError(
          status.UNIMPLEMENTED,
          `${path} is not implemented by the embedded event store. See docs/event-store.md, or set EVENTSTORE_URL to an EventStoreDB.`,
        ),
      );
      return [name, (call: Ending, reply?: (error: Error) => void) => (reply ? reply(error) : call.emit('error', error))];
    }),
  );
