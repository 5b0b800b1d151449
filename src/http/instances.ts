import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InstanceUsage } from '../contracts/usage.ts';
import type { CustomerId } from '../domain/ids.ts';
import { csvWith } from './export.ts';
import { customerNameOf } from './exportNames.ts';
import { type ExportedList, exportRows } from './listExport.ts';

const INSTANCES: ExportedList<InstanceUsage> = {
  name: 'instances',
  secret: [],
  csv: csvWith({
    instance_url: ({ instanceUrl }) => instanceUrl,
    service: ({ service }) => service,
    calls: ({ apiCalls }) => apiCalls,
    errors: ({ errors }) => errors,
    average_response_ms: ({ avgResponseTime }) => avgResponseTime,
    last_active_at: ({ lastActive }) => lastActive,
  }),
};

/** Replies with the instances that a customer called, as a file if the request accepts one. */
export const answerInstances = async (request: FastifyRequest, reply: FastifyReply, customerId: CustomerId) => {
  const instances = await request.queries.usage.instances(customerId);
  const isSent = await exportRows(request, reply, INSTANCES, instances, () => customerNameOf(request, customerId));
  return isSent ? reply : { success: true as const, instances };
};
