import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { SignedCheckpoint } from '../../projections/auditLog/auditLog.ts';
import type { App, HttpDeps } from '../deps.ts';
import { found, problems } from '../replies.ts';

const tags = ['Audit log'];
const config = { audience: ['public'] } as const;
const TEXT = 'text/plain; charset=utf-8';
/** How long caches may keep the newest checkpoint, and what never changes, in seconds. */
const [NEWEST_S, FOREVER_S] = [60, 31_536_000];

const size = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const send = (reply: FastifyReply, text: string, maxAgeS: number): FastifyReply =>
  reply.type(TEXT).header('cache-control', `public, max-age=${maxAgeS}`).send(text);

/** Checkpoints, keys and consistency proofs of the audit log, for every audience; see docs/audit-log.md. */
export const auditLogRoutes = (app: App, { auditLog }: HttpDeps): void => {
  app.get(
    '/.well-known/latchkey/checkpoint',
    { config, schema: { summary: 'Get the newest checkpoint of the audit log, a signed note', tags } },
    async (_request, reply) => {
      const newest: SignedCheckpoint = (await auditLog.latest()) ?? (await auditLog.sign());
      return send(reply, newest.note, NEWEST_S);
    },
  );

  app.get(
    '/.well-known/latchkey/checkpoint/:size',
    {
      config,
      schema: {
        summary: 'Get the checkpoint of a size of the audit log',
        tags,
        params: z.strictObject({ size }),
        response: problems(404),
      },
    },
    async ({ params }, reply) => send(reply, found(await auditLog.ofSize(params.size), 'checkpoint_not_found').note, NEWEST_S),
  );

  app.get(
    '/.well-known/latchkey/consistency/:from/:to',
    {
      config,
      schema: {
        summary: 'Get the proof that the audit log of one size begins with that of a smaller one',
        description: 'Hashes in base64, one a line, in the order of RFC 6962.',
        tags,
        params: z.strictObject({ from: size, to: size }).refine(({ from, to }) => from <= to, {
          message: 'Must not be larger than the second size',
          path: ['from'],
        }),
        response: problems(404),
      },
    },
    async ({ params: { from, to } }, reply) => {
      const tree = found(await auditLog.tree(to), 'checkpoint_not_found');
      const proof = await tree.consistency(from);
      return send(reply, proof.map((hash) => `${hash.toString('base64')}\n`).join(''), FOREVER_S);
    },
  );

  app.get(
    '/.well-known/latchkey/keys',
    { config, schema: { summary: 'Get the public keys of the audit log, the active one first', tags } },
    async (_request, reply) => {
      await auditLog.activeKey();
      const keys = await auditLog.verifierKeys();
      return send(reply, keys.map((key) => `${key}\n`).join(''), NEWEST_S);
    },
  );
};
