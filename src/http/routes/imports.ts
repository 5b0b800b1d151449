import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { importFile, importMessage, importQuery } from '../../contracts/imports.ts';
import type { ImportKind } from '../../domain/operations/events.ts';
import type { Permission } from '../../domain/permissions.ts';
import { matches } from '../../security/session.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { linesOf } from '../imports/csvFile.ts';
import { customerImporter } from '../imports/customerLines.ts';
import { importing } from '../imports/run.ts';
import { userImporter } from '../imports/userLines.ts';
import { BODY_LIMIT, type Quotas } from '../limits.ts';
import { type Audience, principalAs } from '../principal.ts';
import { accepted, problems } from '../replies.ts';
import { boundBy } from '../requests/boundBy.ts';
import { metaOf } from '../requests/meta.ts';
import type { Counters } from '../requests/metrics.ts';

/** How long the last message waits for the read models. */
const SETTLE_MS = 10_000;

const DESCRIPTION =
  'The body is a CSV file with the columns of an exported list. Columns that cannot be changed are ignored. A line with the id, external id ' +
  'or username of an existing object changes it; any other line creates one. An empty cell removes company, external id, tags, notes and custom ' +
  'fields. In other columns it keeps the value, or leaves it to the plan of a new customer; `none` removes theme, expiry, quota, floating ' +
  'seats, the release of idle seats and the limit of machines, and `all` in `entitlements` includes everything. A missing column keeps the value. The reply is ' +
  'NDJSON: the number of lines, the result of each line, then the counts. If the counts are missing, the import was stopped: send the file again. It is stopped too when the session or the API token ends. With `dryRun`, nothing is changed.';

/** Whether the session or the API token of a request has ended since, such as by a sign-out, a revocation or a suspension. */
const watchSession = (
  { sessions, apiTokens }: HttpDeps,
  { session }: FastifyRequest,
): { isEnded: () => boolean; stop: () => void } => {
  let isEnded = false;
  const end = (): void => {
    isEnded = true;
  };
  const stops = [
    sessions.onEnded((match) => {
      if (session !== null && matches(session, match)) end();
    }),
    // What may have ended a token is announced; whether it did is looked up, and one that cannot be looked up has.
    apiTokens.onEnded((isConcerned) => {
      if (!session || !('tokenId' in session.owner) || !isConcerned(session)) return;
      apiTokens.isAlive(session).then((isAlive) => !isAlive && end(), end);
    }),
  ];
  return {
    isEnded: () => isEnded,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
};

/** Imports a file and streams the results. */
const importKind = async (deps: HttpDeps, request: FastifyRequest, kind: ImportKind): Promise<Readable> => {
  const { commands, waitUntil } = deps;
  const { file, dryRun } = request.query as z.infer<typeof importQuery>;
  const isDryRun = dryRun === 'true';
  const owner = principalAs(request, 'admin', 'integrator');
  const importer = kind === 'customers' ? customerImporter(deps, request) : userImporter(deps, request, isDryRun);
  const lines = linesOf(request.body as string, importer.columns);
  const meta = metaOf(request);
  const session = watchSession(deps, request);
  const messages = importing(importer, lines, {
    meta,
    now: deps.now,
    isDryRun,
    isEnded: session.isEnded,
    finish: async (counts, isComplete) => {
      session.stop();
      if (isDryRun) return;
      const integratorId = owner.kind === 'integrator' ? owner.integratorId : null;
      const data = { integratorId, kind, file, ...counts, isComplete };
      const { position } = accepted(await commands.imports.handle({ type: 'RecordImport', data, meta }));
      if (position !== null) await waitUntil(position, SETTLE_MS);
    },
  });
  const texts = async function* (): AsyncGenerator<string> {
    for await (const message of messages) yield `${JSON.stringify(message)}\n`;
  };
  return Readable.from(texts(), { highWaterMark: 64 });
};

/** Imports of CSV files. */
export const importRoutes: Routes<HttpDeps & { counters: Counters; quotas: Quotas }> = (app, deps) => {
  const { counters, quotas } = deps;
  // Before the file is received, so that files that wait take no memory.
  const onRequest = boundBy({
    ofTenant: { limit: 'imports_per_tenant', each: quotas.importsPerTenant },
    ofNode: { limit: 'imports', each: quotas.imports },
    problem: 'too_many_imports',
    onRejected: counters.countLimit,
  });
  const route = (url: string, audience: Audience, kind: ImportKind, permission: Permission): void => {
    app.post(
      url,
      {
        config: { audience: [audience], permission, reauthentication: true, body: 'csv', idempotent: false },
        onRequest,
        bodyLimit: BODY_LIMIT.importFile,
        schema: {
          summary: `Import ${kind} from a CSV file`,
          description: DESCRIPTION,
          tags: [kind === 'customers' ? 'Customers' : 'Users'],
          querystring: importQuery,
          consumes: ['text/csv'],
          produces: ['application/x-ndjson'],
          body: importFile,
          response: { 200: importMessage, ...problems(400, 401, 403, 429) },
        },
      },
      async (request: FastifyRequest, reply: FastifyReply) =>
        reply.type('application/x-ndjson; charset=utf-8').send(await importKind(deps, request, kind)),
    );
  };
  route('/api/admin/customers/import', 'admin', 'customers', 'customers:write');
  route('/api/service-integrator/customers/import', 'integrator', 'customers', 'customers:write');
  route('/api/admin/users/import', 'admin', 'users', 'users:write');
  route('/api/users/import', 'integrator', 'users', 'users:write');
};
