import type { FastifyInstance } from 'fastify';
import { HttpProblem } from '../problems/problems.ts';
import { answerInPlace } from './answerInPlace.ts';

/** A request has to have arrived by then, and a handler to have answered. */
export const REQUEST_MS = 30_000;

/** Answers every request in time, though its handler may go on. A reply that has begun is left to its end. */
export const limitTime = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, next) => {
    const timer = setTimeout(() => {
      answerInPlace(reply, new HttpProblem(request.raw.complete ? 'unavailable' : 'request_timeout'));
    }, REQUEST_MS);
    reply.raw.once('close', () => clearTimeout(timer));
    next();
  });
};
