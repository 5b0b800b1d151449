import type { z } from 'zod';
import { bulkChangeReply, type FinishBulkChange, finishBulkChange, finishOwnBulkChange } from '../../contracts/bulkChanges.ts';
import type { App, HttpDeps, Settle } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { principalAs } from '../principal.ts';
import { accepted, problems } from '../replies.ts';
import { bulkCorrelationOf, metaOf } from '../requests/meta.ts';

/** The entry of the history for several customers, or service integrators, that were changed together. */
export const bulkChangeRoutes = (
  app: App,
  { commands, settle }: HttpDeps & { settle: Settle },
  { prefix, audience }: { prefix: '/api/admin' | '/api/service-integrator'; audience: 'admin' | 'integrator' },
): void => {
  const isAdmin = audience === 'admin';
  const body: z.ZodType<FinishBulkChange> = isAdmin ? finishBulkChange : finishOwnBulkChange;
  app.post(
    `${prefix}/bulk-changes`,
    {
      config: { audience: [audience], permission: 'customers:write' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: `Record that several customers${isAdmin ? ', or service integrators,' : ''} were changed together`,
        description:
          'Send each change with the same `Bulk-Id` header of your choice, then this request with it. The history then has an entry for ' +
          `the whole action, which leads to the changes. The server counts the customers that were changed${
            isAdmin ? ', or with the kind `integratorStatus` the service integrators' : ''
          }.`,
        tags: ['Customers'],
        body,
        response: { 200: bulkChangeReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { session, queries } = request;
      const { id, kind, refused } = request.body;
      const owner = principalAs(request, 'admin', 'integrator');
      const integratorId = owner.kind === 'integrator' ? owner.integratorId : null;
      if (!session) throw new Error('Only sessions reach this route');
      const correlationId = bulkCorrelationOf(session, id);
      const changed = await queries.audit.countChanged(
        integratorId === null ? { everything: true } : { auditOf: integratorId },
        correlationId,
        kind === 'integratorStatus' ? 'integrators' : 'customers',
      );
      if (changed > 0) {
        const data = { integratorId, kind, changed, refused };
        const meta = { ...metaOf(request), correlationId };
        const { position } = accepted(await commands.imports.handle({ type: 'RecordBulkChange', data, meta }));
        await settle(reply, position);
      }
      return { success: true as const, changed };
    },
  );
};
