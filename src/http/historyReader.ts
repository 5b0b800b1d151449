import type { FastifyRequest } from 'fastify';
import type { HistoryReader } from '../projections/history/showing.ts';
import { principalAs } from './principal.ts';

/** The caller as the reader of a history. */
export const readerOf = (request: FastifyRequest): HistoryReader => ({
  kind: principalAs(request, 'admin', 'integrator', 'customer').kind,
  team: request.ownQueries.team,
  apiTokens: request.ownQueries.apiTokens,
});
