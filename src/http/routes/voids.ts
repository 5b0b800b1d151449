import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { customerId } from '../../contracts/fields.ts';
import {
  type CallVoid,
  callVoidId,
  type PreviewVoid,
  previewVoid,
  type VoidCalls,
  voidCalls,
  voidPreviewReply,
  voidReply,
  voidsReply,
} from '../../contracts/voids.ts';
import type { CallRange } from '../../domain/apiCalls/voids.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { customerOwner } from '../../security/owner.ts';
import type { App, HttpDeps, Settle } from '../deps.ts';
import { csvWith } from '../export.ts';
import { customerNameOf } from '../exportNames.ts';
import { readerOf } from '../historyReader.ts';
import { BODY_LIMIT } from '../limits.ts';
import { type ExportedList, exportRows, FILE_DESCRIPTION } from '../listExport.ts';
import { visibleCustomer } from '../ownership.ts';
import { principalAs } from '../principal.ts';
import { accepted, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';

const tags = ['Voids'];
const params = z.strictObject({ customerId });

const list = {
  summary: 'List what was voided of the recorded calls, newest first',
  description: FILE_DESCRIPTION,
  tags,
  response: { 200: voidsReply, ...problems(401, 403, 404) },
};

const VOIDS: ExportedList<CallVoid> = {
  name: 'voids',
  secret: [],
  csv: csvWith({
    id: ({ voidId }) => voidId,
    at: ({ at }) => at,
    by: ({ by }) => by,
    reason: ({ reason }) => reason,
    source: ({ sourceId }) => sourceId,
    first_sequence: ({ firstSequence }) => firstSequence,
    last_sequence: ({ lastSequence }) => lastSequence,
    from: ({ from }) => from,
    until: ({ until }) => until,
    calls: ({ calls }) => calls,
    errors: ({ errors }) => errors,
    users: ({ users }) => users,
    first_at: ({ firstAt }) => firstAt,
    last_at: ({ lastAt }) => lastAt,
  }),
};

const preview = {
  summary: 'Count the calls that a void would take out of the usage',
  description: 'Where there are too many calls, the newest ones are counted: `countedFrom` is the time from which all of them are.',
  tags,
  querystring: previewVoid,
  response: { 200: voidPreviewReply, ...problems(400, 401, 403, 404, 503) },
};

const change = {
  summary: 'Void recorded calls',
  description:
    'The calls of the source in the range that were recorded until now do not count any more: usage and statements are without them, lists ' +
    'of single calls mark them, and the history has the void. They can be recorded again with the same source and sequences, and count then. ' +
    'A range in which no call was ever recorded is refused with `no_calls_to_void`.',
  tags,
  body: voidCalls,
  response: { 200: voidReply, ...problems(400, 401, 403, 404, 409, 503) },
};

const instantOf = (at: string | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());

const rangeOf = ({ sourceId, firstSequence, lastSequence, from, until }: PreviewVoid): CallRange => ({
  sourceId,
  firstSequence: firstSequence ?? null,
  lastSequence: lastSequence ?? null,
  from: instantOf(from),
  until: instantOf(until),
});

/** Voids of recorded calls: by administrators, the service integrator of the customer, and its admins. */
export const voidRoutes = (app: App, { commands, systemQueries, settle, newId }: HttpDeps & { settle: Settle }): void => {
  const listed = async (request: FastifyRequest, reply: FastifyReply, id: CustomerId) => {
    const voids = await request.queries.voids.of(id, readerOf(request));
    const isSent = await exportRows(request, reply, VOIDS, voids, () => customerNameOf(request, id));
    return isSent ? reply : { success: true as const, voids };
  };
  const previewed = async (request: FastifyRequest, id: CustomerId, query: PreviewVoid) => ({
    success: true as const,
    preview: await request.queries.voids.preview(id, rangeOf(query)),
  });
  const perform = async (request: FastifyRequest, reply: FastifyReply, id: CustomerId, { reason, ...range }: VoidCalls) => {
    const voidId = callVoidId.parse(newId());
    const calls = rangeOf(range);
    const isRecorded = await systemQueries.voids.isRecorded(id, calls);
    const data = { customerId: id, voidId, reason, ...calls, isRecorded };
    const { position } = accepted(await commands.customers.handle({ type: 'VoidApiCalls', data, meta: metaOf(request) }));
    await settle(reply, position);
    return { success: true as const, voidId };
  };

  for (const [prefix, audience] of [
    ['/api/admin', 'admin'],
    ['/api/service-integrator', 'integrator'],
  ] as const) {
    const url = `${prefix}/customers/:customerId/voids` as const;
    app.get(
      url,
      { config: { audience: [audience], permission: 'calls:read' }, schema: { ...list, params } },
      async (request, reply) => {
        const { customerId: id } = await visibleCustomer(request, request.params.customerId);
        return listed(request, reply, id);
      },
    );
    app.get(
      `${url}/preview`,
      { config: { audience: [audience], permission: 'calls:void' }, schema: { ...preview, params } },
      async (request) => {
        const { customerId: id } = await visibleCustomer(request, request.params.customerId);
        return previewed(request, id, request.query);
      },
    );
    app.post(
      url,
      { config: { audience: [audience], permission: 'calls:void' }, bodyLimit: BODY_LIMIT.form, schema: { ...change, params } },
      async (request, reply) => {
        const { customerId: id } = await visibleCustomer(request, request.params.customerId);
        return perform(request, reply, id, request.body);
      },
    );
  }

  app.get(
    '/api/customer/voids',
    { config: { audience: ['customer'], permission: 'calls:read' }, schema: list },
    async (request, reply) => listed(request, reply, principalAs(request, 'customer').customerId),
  );
  app.get(
    '/api/customer/voids/preview',
    { config: { audience: ['customer'], permission: 'calls:void' }, schema: preview },
    async (request) => previewed(request, principalAs(request, 'customer').customerId, request.query),
  );
  app.post(
    '/api/customer/voids',
    { config: { audience: ['customer'], permission: 'calls:void' }, bodyLimit: BODY_LIMIT.form, schema: change },
    async (request, reply) => {
      const { customerId: id } = principalAs(request, 'customer');
      request.dataOwner = customerOwner(id);
      return perform(request, reply, id, request.body);
    },
  );
};
