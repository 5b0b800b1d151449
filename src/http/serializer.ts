import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { z } from 'zod';

/** A reply that breaks its own contract: a bug of this server. */
class BrokenReply extends Error {
  override readonly name = 'BrokenReply';
}

/** Replies leave as their contract describes them: what it does not name stays here. */
export const replySerializer: FastifySerializerCompiler<unknown> = ({ schema, method, url }) => {
  if (!(schema instanceof z.ZodType)) throw new Error(`${method} ${url} describes its reply by something that is not a schema`);
  return (data) => {
    const { success, data: reply, error } = schema.safeParse(data);
    if (success) return JSON.stringify(reply);
    const places = error.issues.map(({ path, code }) => `${path.join('.')} (${code})`);
    throw new BrokenReply(`The reply of ${method} ${url} breaks its contract: ${places.join(', ')}`);
  };
};
