import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type Credential,
  credentialQuery,
  credentialReply,
  credentialsReply,
  credentialTestReply,
  storeCredential,
  updateCredential,
} from '../../contracts/credentials.ts';
import { credentialId, credentialId as credentialIdOf } from '../../contracts/fields.ts';
import { done } from '../../contracts/replies.ts';
import type { CredentialId, CustomerId } from '../../domain/ids.ts';
import { credentialAsWritten } from '../asWritten.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { customerNameOf } from '../exportNames.ts';
import { BODY_LIMIT, type Quotas } from '../limits.ts';
import { CREDENTIALS, exportList, LIST_DESCRIPTION } from '../listExport.ts';
import { principalAs } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { accepted, found, ifMatch, problems, tag } from '../replies.ts';
import { boundTests } from '../requests/credentialTests.ts';
import { followUp, metaOf, newIdFor } from '../requests/meta.ts';
import type { Counters } from '../requests/metrics.ts';

const params = z.strictObject({ credentialId });
const audience = ['customer'] as const;
const tags = ['Credentials'];

/** A customer's logins to third-party services. Secrets go in, are opened only to try them, and never come out. */
export const credentialRoutes: Routes<HttpDeps & { counters: Counters; quotas: Quotas }> = (app, deps) => {
  const { commands, settle, testCredential, counters, quotas } = deps;
  const preHandler = boundTests(counters.countLimit, quotas);

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    customerId: CustomerId,
    credentialId: CredentialId,
    position: bigint | null,
  ): Promise<Credential> => {
    await settle(reply, position);
    const shown = found(await request.queries.credentials.get(credentialId), 'credential_not_found');
    if (shown.customerId !== customerId) throw new HttpProblem('credential_not_found');
    tag(reply, shown.revision);
    return shown.credential;
  };

  /** Tests the credential in its current state and records the result. */
  const tryOut = async (request: FastifyRequest, customerId: CustomerId, credentialId: CredentialId) => {
    const { state } = await commands.credentials.load(credentialId);
    if (state.status === 'unknown' || state.status === 'deleted' || state.customerId !== customerId) {
      throw new HttpProblem('credential_not_found');
    }
    const { service, instanceUrl, username, password, apiToken, revisions } = state;
    const result = await testCredential({ service, instanceUrl, username, password, apiToken });
    const outcome = await commands.credentials.handle({
      type: 'RecordCredentialTest',
      data: { credentialId, customerId, ok: result.ok, detail: result.detail, durationMs: result.durationMs, revisions },
      meta: followUp(metaOf(request), 'test'),
    });
    return { ...result, ...accepted(outcome) };
  };

  app.get(
    '/api/credentials/list',
    {
      config: { audience, permission: 'credentials:read' },
      schema: {
        summary: 'List the credentials',
        description: LIST_DESCRIPTION,
        tags,
        querystring: credentialQuery,
        response: { 200: credentialsReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      const isSent = await exportList(
        request,
        reply,
        CREDENTIALS,
        async (page) => {
          const { credentials: rows, nextCursor } = await request.queries.credentials.list(customerId, page);
          return { rows, nextCursor };
        },
        () => customerNameOf(request, customerId),
      );
      return isSent ? reply : { success: true as const, ...(await request.queries.credentials.list(customerId, request.query)) };
    },
  );

  app.post(
    '/api/credentials/store',
    {
      config: { audience, permission: 'credentials:write' },
      bodyLimit: BODY_LIMIT.secrets,
      preHandler,
      schema: {
        summary: 'Store a credential and test it',
        tags,
        body: storeCredential,
        response: { 201: credentialReply, ...problems(400, 401, 403, 429) },
      },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      const credentialId = credentialIdOf.parse(newIdFor(request, 'credential'));
      const { service, instanceUrl, username, password, apiToken, expiresAt = null } = request.body;
      const data = { credentialId, customerId, service, instanceUrl, username, password, apiToken, expiresAt };
      const meta = metaOf(request);
      accepted(await commands.credentials.handle({ type: 'StoreCredential', data, meta }));
      const { detail, position, revision, state } = await tryOut(request, customerId, credentialId);
      await settle(reply, position);
      reply.code(201);
      const shown = await request.queries.credentials.get(credentialId);
      const isWhole = shown !== null && shown.revision >= revision; // read models that are late may not know of the test yet
      tag(reply, isWhole ? shown.revision : revision);
      if (isWhole) return { success: true as const, credential: shown.credential };
      if (state.status === 'unknown' || state.status === 'deleted') throw new HttpProblem('credential_not_found');
      return { success: true as const, credential: credentialAsWritten(state, detail, meta.at) };
    },
  );

  app.put(
    '/api/credentials/:credentialId',
    {
      config: { audience, permission: 'credentials:write' },
      bodyLimit: BODY_LIMIT.secrets,
      preHandler,
      schema: {
        summary: 'Update a credential and test it',
        tags,
        params,
        body: updateCredential,
        response: { 200: credentialReply, ...problems(400, 401, 403, 404, 412, 429) },
      },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      const { credentialId } = request.params;
      const { instanceUrl, username, password, apiToken, expiresAt } = request.body;
      const data = { credentialId, customerId, instanceUrl, username, password, apiToken, expiresAt };
      const { position } = accepted(
        await commands.credentials.handle({ type: 'ReviseCredential', data, meta: metaOf(request) }, ifMatch(request)),
      );
      const tried = position === null ? null : await tryOut(request, customerId, credentialId);
      return {
        success: true as const,
        credential: await show(request, reply, customerId, credentialId, tried?.position ?? position),
      };
    },
  );

  app.delete(
    '/api/credentials/:credentialId',
    {
      config: { audience, permission: 'credentials:write' },
      schema: { summary: 'Delete a credential', tags, params, response: { 200: done, ...problems(400, 401, 403, 404, 412) } },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      const { credentialId } = request.params;
      const outcome = await commands.credentials.handle(
        { type: 'DeleteCredential', data: { credentialId, customerId }, meta: metaOf(request) },
        ifMatch(request),
      );
      await settle(reply, accepted(outcome).position);
      return { success: true as const };
    },
  );

  app.post(
    '/api/credentials/:credentialId/test',
    {
      config: { audience, permission: 'credentials:write' },
      preHandler,
      schema: {
        summary: 'Test a credential; a failed test is reported in the reply',
        tags,
        params,
        response: { 200: credentialTestReply, ...problems(401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      const { credentialId } = request.params;
      const { ok, detail, position } = await tryOut(request, customerId, credentialId);
      const credential = await show(request, reply, customerId, credentialId, position);
      return ok ? { success: true as const, credential } : { success: false as const, error: detail, credential };
    },
  );
};
