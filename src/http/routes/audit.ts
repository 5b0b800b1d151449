import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AuditQuery, auditEntryReply, auditQuery, auditReply } from '../../contracts/audit.ts';
import { tenantRevertReply } from '../../contracts/reverts.ts';
import type { AuditOwner } from '../../projections/historyOwner.ts';
import type { App, HttpDeps } from '../deps.ts';
import { exportedAudit, exportFormatOf, sendFile } from '../export.ts';
import { customerNameOf, periodOf, tenantNameOf } from '../exportNames.ts';
import { readerOf } from '../historyReader.ts';
import { principalAs } from '../principal.ts';
import { found, problems } from '../replies.ts';
import { previewTenantRevert } from '../tenantReverts.ts';
import { verifiedExport } from '../verifiedExport.ts';

const tags = ['History'];

/** Administrators see all entries, a service integrator those of its customers and its own. */
const ownerOf = (request: FastifyRequest): AuditOwner => {
  const owner = principalAs(request, 'admin', 'integrator');
  return owner.kind === 'admin' ? { everything: true } : { auditOf: owner.integratorId };
};

/** What names the file of an export: the chosen customer, else the service integrator, and the period. */
const nameOf = async (
  request: FastifyRequest,
  filter: Pick<AuditQuery, 'customer' | 'from' | 'to'>,
): Promise<(string | undefined)[]> => {
  const of = await (filter.customer === undefined ? tenantNameOf(request) : customerNameOf(request, filter.customer));
  return [of, ...periodOf(request, filter)];
};

/** What happened to all customers: as a page, or all of it as a file. */
export const auditRoutes = (app: App, deps: HttpDeps): void => {
  const answer = async (request: FastifyRequest, reply: FastifyReply, { proofs, ...query }: AuditQuery) => {
    const [owner, reader] = [ownerOf(request), readerOf(request)];
    const { limit: _limit, cursor: _cursor, zone: _zone, ...filter } = query;
    if (proofs === 'true') {
      const entries = request.queries.audit.exportInLogOrder(owner, filter, reader);
      const file = await verifiedExport(deps, entries, { of: owner, filter, withContent: reader.kind === 'admin' });
      return sendFile(reply, file, 'ndjson', 'audit-verified', ...(await nameOf(request, filter)));
    }
    const format = exportFormatOf(request.headers.accept);
    if (format !== null) {
      const file = await exportedAudit(request.queries.audit.export(owner, filter, reader), format);
      return sendFile(reply, file, format, 'audit', ...(await nameOf(request, filter)));
    }
    return { success: true as const, ...(await request.queries.audit.page(owner, query, reader)) };
  };

  for (const [prefix, audience, whose] of [
    ['/api/admin', 'admin', 'all tenants and the administration'],
    ['/api/service-integrator', 'integrator', 'the service integrator and its customers'],
  ] as const) {
    app.get(
      `${prefix}/audit`,
      {
        config: { audience: [audience], permission: 'history:read' },
        schema: {
          summary: `List the history of ${whose}`,
          description:
            'A filter that no index answers ends after 6,000 entries with `searchedTo`; `nextCursor` continues. With `Accept: text/csv` or `application/x-ndjson` all matching entries are streamed, newest first. With `proofs=true` they are streamed as NDJSON with proofs of the audit log.',
          tags,
          querystring: auditQuery,
          response: { 200: auditReply, ...problems(400, 401, 403) },
        },
      },
      async (request, reply) => answer(request, reply, request.query),
    );

    app.get(
      `${prefix}/audit/:entryId`,
      {
        config: { audience: [audience], permission: 'history:read' },
        schema: {
          summary: `Get an entry of the history of ${whose}, with those of the same request`,
          tags,
          params: z.strictObject({ entryId: z.uuid() }),
          response: { 200: auditEntryReply, ...problems(400, 401, 403, 404) },
        },
      },
      async (request) => {
        const entry = await request.queries.audit.entry(ownerOf(request), request.params.entryId, readerOf(request));
        return { success: true as const, ...found(entry, 'entry_not_found') };
      },
    );

    app.get(
      `${prefix}/audit/:entryId/revert`,
      {
        config: { audience: [audience], permission: 'history:read' },
        schema: {
          summary: `Get what takes a change of ${audience === 'admin' ? 'a service integrator, of the own team or of an alert rule' : 'the service integrator, its themes or its team'} back`,
          description:
            'The body is for the `PUT` that changes the named object, which needs the permission of that call. Changes of customers and their users have `GET …/customers/:customerId/reverts/:entryId`.',
          tags,
          params: z.strictObject({ entryId: z.uuid() }),
          response: { 200: tenantRevertReply, ...problems(400, 401, 403, 404, 409) },
        },
      },
      async (request) => {
        const shown = await request.queries.audit.entry(ownerOf(request), request.params.entryId, readerOf(request));
        const { entry } = found(shown, 'entry_not_found');
        return { success: true as const, ...(await previewTenantRevert(deps, request, entry)) };
      },
    );
  }
};
