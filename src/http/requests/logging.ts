import type { FastifyInstance } from 'fastify';
import type { LevelWithSilent } from 'pino';
import { clientAddressOf } from '../../security/clientNetworks.ts';
import { principalName } from '../principal.ts';

/**
 * Patterns of keys, logins, tokens and addresses in the messages of libraries' errors. Logins precede addresses, because a part of a
 * login matches an address. Each pattern matches from a fixed beginning only, so that its cost is linear in the length of the text.
 */
const SECRETS: readonly [RegExp, string][] = [
  [/[A-Z][A-Z0-9]{0,7}-([A-Z]{3}|SI)-[0-9A-Z]{4}-[0-9A-Z]{5}/gi, '[key]'],
  [/\/\/[^\s/@:]+:[^\s/@]+@/g, '//[login]@'],
  [/[A-Za-z0-9_-]{40,}/g, '[token]'],
  [/(?<![^\s@"'<>()])[^\s@"'<>()]+@[^\s@"'<>()]+/g, '[address]'],
];

const scrubbed = (text: string): string => SECRETS.reduce((left, [pattern, name]) => left.replace(pattern, name), text);

const FRAMES = /^ {4}at .*$/gm;

type LoggedError = { type: string; message: string; stack: string; code?: string; cause?: LoggedError };

/** An error for the log: its kind and where it was thrown, without any data of the request. */
export const loggedError = (error: unknown): LoggedError => {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  return {
    type: error.name,
    message: scrubbed(error.message).slice(0, 300),
    stack: error.stack?.match(FRAMES)?.slice(0, 12).join('\n') ?? '',
    ...('code' in error && { code: String(error.code) }),
    ...(error.cause !== undefined && { cause: loggedError(error.cause) }),
  };
};

/** The log's options: an allow list of the fields of errors and requests that are written. */
export const loggerOptions = (level: string) => ({
  level,
  serializers: { err: loggedError, error: loggedError, req: () => ({}), res: () => ({}) },
});

const QUIETER = ['error', 'fatal', 'silent'] as const;

/** The level of routes that are called all the time: only failures are logged, unless the configured level is higher. */
export const quietLevel = (level: string): LevelWithSilent => QUIETER.find((quieter) => quieter === level) ?? 'warn';

/** One line a request, by its route and never by its URL. */
export const logRequests = (app: FastifyInstance): void => {
  app.addHook('onResponse', (request, reply, next) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        // Personal data, on purpose: an attack is recognised by the address of its sign-ins.
        ...(request.routeOptions.config.signIn && { address: clientAddressOf(request.ip) }),
        principal: request.session ? principalName(request.session) : null,
        commandId: request.commandId,
        position: reply.getHeader('x-position') ?? null,
      },
      'answered',
    );
    next();
  });
};
