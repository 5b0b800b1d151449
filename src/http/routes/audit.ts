import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AuditQuery, auditEntryReply, auditQuery, auditReply } from '../../contracts/audit.ts';
import type { AuditOwner } from '../../projections/history/owner.ts';
import type { App, HttpDeps } from '../deps.ts';
import { exportedAudit, exportFormatOf, sendFile } from '../export.ts';
import { principalAs } from '../principal.ts';
import { found, problems } from '../replies.ts';
import { verifiedExport } from '../verifiedExport.ts';
import { readerOf } from './history.ts';

const tags = ['History'];

/** Administrators see all entries, a service integrator those of its customers and its own. */
const ownerOf = (request: FastifyRequest): AuditOwner => {
  const owner = principalAs(request, 'admin', 'integrator');
  return owner.kind === 'admin' ? { everything: true } : { auditOf: owner.integratorId };
};

/** What happened to all customers: as a page, or all of it as a file. */
export const auditRoutes = (app: App, deps: HttpDeps): void => {
  const answer = async (request: FastifyRequest, reply: FastifyReply, { proofs, ...query }: AuditQuery) => {
    const [owner, reader] = [ownerOf(request), readerOf(request)];
    const { limit: _limit, cursor: _cursor, zone: _zone, ...filter } = query;
    if (proofs === 'true') {
      const entries = request.queries.audit.exportInLogOrder(owner, filter, reader);
      const file = await verifiedExport(deps, entries, { of: owner, filter, withContent: reader.kind === 'admin' });
      return sendFile(reply, file, 'ndjson', 'audit-verified');
    }
    const format = exportFormatOf(request.headers.accept);
    if (format !== null)
      return sendFile(reply, await exportedAudit(request.queries.audit.export(owner, filter, reader), format), format, 'audit');
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
            'A filter that no index answers ends after 10,000 entries with `searchedTo`; `nextCursor` continues. With `Accept: text/csv` or `application/x-ndjson` all matching entries are streamed, newest first. With `proofs=true` they are streamed as NDJSON with proofs of the audit log.',
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
  }
};
