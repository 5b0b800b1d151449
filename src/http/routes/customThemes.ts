import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { themeId, themeId as themeIdOf } from '../../contracts/fields.ts';
import { done } from '../../contracts/replies.ts';
import {
  type CustomTheme,
  createTheme,
  customThemeReply,
  customThemesReply,
  ownedThemeQuery,
  ownedThemesReply,
  type ThemeQuery,
  themeQuery,
  themeUsageReply,
  themeUsagesReply,
  updateTheme,
} from '../../contracts/themes.ts';
import { themeUsageQuery } from '../../contracts/usage.ts';
import type { IntegratorId, ThemeId } from '../../domain/ids.ts';
import type { ThemeCommand } from '../../domain/theme/commands.ts';
import { dayOf } from '../../domain/time.ts';
import { themeAsWritten } from '../asWritten.ts';
import type { Routes } from '../deps.ts';
import { integratorNameOf, tenantNameOf } from '../exportNames.ts';
import { BODY_LIMIT } from '../limits.ts';
import { exportList, LIST_DESCRIPTION, OWNED_THEMES, THEMES } from '../listExport.ts';
import { principalAs } from '../principal.ts';
import { accepted, found, ifMatch, problems, tag } from '../replies.ts';
import { metaOf, metaOfRevert, newIdFor } from '../requests/meta.ts';
import { expectTenantRevert } from '../tenantReverts.ts';

/** The filter in the query string of a list. */
const themeFilterOf = ({ active, ...query }: ThemeQuery) => ({
  ...query,
  active: active === undefined ? undefined : active === 'true',
});

const params = z.strictObject({ themeId });
/** The filter of a page of the list, and the days of its usage. */
const usagesQuery = themeQuery.extend(themeUsageQuery.shape);
const audience = ['integrator'] as const;
const tags = ['Themes'];

/** An integrator's catalogue of custom themes. A theme's ETag is that of the catalogue. */
export const customThemeRoutes: Routes = (app, deps) => {
  const { systemQueries, commands, settle, now } = deps;

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    integratorId: IntegratorId,
    themeId: ThemeId,
    position: bigint | null,
  ): Promise<CustomTheme> => {
    await settle(reply, position);
    const { theme, revision } = found(await request.queries.themes.get(integratorId, themeId), 'theme_not_found');
    tag(reply, revision);
    return theme;
  };

  const change = async (
    request: FastifyRequest,
    reply: FastifyReply,
    changes: readonly ThemeCommand[],
    ids: { integratorId: IntegratorId; themeId: ThemeId },
  ) => {
    const { position } = accepted(await commands.themes.handle(changes, ifMatch(request)));
    return { success: true as const, theme: await show(request, reply, ids.integratorId, ids.themeId, position) };
  };

  app.get(
    '/api/service-integrator/themes',
    {
      config: { audience, permission: 'themes:read' },
      schema: {
        summary: 'List the custom themes',
        description: LIST_DESCRIPTION,
        tags,
        querystring: themeQuery,
        response: { 200: customThemesReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const filter = { ...themeFilterOf(request.query), integratorId };
      const isSent = await exportList(
        request,
        reply,
        THEMES,
        async (page) => {
          const { themes: rows, nextCursor } = await request.queries.themes.list({ ...filter, ...page });
          return { rows, nextCursor };
        },
        () => tenantNameOf(request),
      );
      return isSent ? reply : { success: true as const, ...(await request.queries.themes.list(filter)) };
    },
  );

  app.get(
    '/api/admin/themes',
    {
      config: { audience: ['admin'], permission: 'themes:read' },
      schema: {
        summary: 'List the custom themes of all service integrators',
        description: LIST_DESCRIPTION,
        tags,
        querystring: ownedThemeQuery,
        response: { 200: ownedThemesReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { serviceIntegratorId: integratorId, ...query } = request.query;
      const filter = { ...themeFilterOf(query), integratorId };
      const isSent = await exportList(
        request,
        reply,
        OWNED_THEMES,
        async (page) => {
          const { themes: rows, nextCursor } = await request.queries.themes.list({ ...filter, ...page });
          return { rows, nextCursor };
        },
        async () => integratorId && integratorNameOf(request, integratorId),
      );
      return isSent ? reply : { success: true as const, ...(await request.queries.themes.list(filter)) };
    },
  );

  app.post(
    '/api/service-integrator/themes',
    {
      config: { audience, permission: 'themes:write' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Create a custom theme',
        tags,
        body: createTheme,
        response: { 201: customThemeReply, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const themeId = themeIdOf.parse(newIdFor(request, 'theme'));
      const { themeName, displayName, description, primaryColor, secondaryColor, accentColor, isDefault } = request.body;
      const data = {
        integratorId,
        themeId,
        themeName,
        displayName,
        description,
        primaryColor,
        secondaryColor,
        accentColor,
        makeDefault: isDefault,
      };
      const meta = metaOf(request);
      const { position, revision, state } = accepted(await commands.themes.handle({ type: 'CreateTheme', data, meta }));
      await settle(reply, position);
      reply.code(201);
      const shown = await request.queries.themes.get(integratorId, themeId);
      tag(reply, shown?.revision ?? revision);
      const theme = shown?.theme ?? themeAsWritten(state, themeId, meta.at); // read models that are late do not show it yet
      return { success: true as const, theme: found(theme, 'theme_not_found') };
    },
  );

  app.get(
    '/api/service-integrator/themes/:themeId',
    {
      config: { audience, permission: 'themes:read' },
      schema: { summary: 'Get a custom theme', tags, params, response: { 200: customThemeReply, ...problems(401, 403, 404) } },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      return { success: true as const, theme: await show(request, reply, integratorId, request.params.themeId, null) };
    },
  );

  app.put(
    '/api/service-integrator/themes/:themeId',
    {
      config: { audience, permission: 'themes:write' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Update a custom theme',
        tags,
        params,
        body: updateTheme,
        response: { 200: customThemeReply, ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const ids = { integratorId: principalAs(request, 'integrator').integratorId, themeId: request.params.themeId };
      const { displayName, description, primaryColor, secondaryColor, accentColor, isDefault, isActive } = request.body;
      await expectTenantRevert.theme(deps, ids.integratorId, ids.themeId, request.body);
      const meta = metaOfRevert(request, request.body.reverts);
      const changes: ThemeCommand[] = [
        { type: 'ReviseTheme', data: { ...ids, displayName, description, primaryColor, secondaryColor, accentColor }, meta },
      ];
      if (isActive === true) changes.push({ type: 'ActivateTheme', data: ids, meta });
      if (isDefault) changes.push({ type: 'MakeThemeDefault', data: ids, meta });
      if (isActive === false) changes.push({ type: 'DeactivateTheme', data: ids, meta });
      return change(request, reply, changes, ids);
    },
  );

  app.delete(
    '/api/service-integrator/themes/:themeId',
    {
      config: { audience, permission: 'themes:write' },
      schema: {
        summary: 'Delete a custom theme; its customers get the default theme',
        tags,
        params,
        response: { 200: done, ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const ids = { integratorId: principalAs(request, 'integrator').integratorId, themeId: request.params.themeId };
      const outcome = await commands.themes.handle({ type: 'DeleteTheme', data: ids, meta: metaOf(request) }, ifMatch(request));
      await settle(reply, accepted(outcome).position);
      return { success: true as const };
    },
  );

  app.post(
    '/api/service-integrator/themes/:themeId/set-default',
    {
      config: { audience, permission: 'themes:write' },
      schema: {
        summary: 'Set the default theme for new customers',
        tags,
        params,
        response: { 200: customThemeReply, ...problems(400, 401, 403, 404, 412) },
      },
    },
    async (request, reply) => {
      const ids = { integratorId: principalAs(request, 'integrator').integratorId, themeId: request.params.themeId };
      return change(request, reply, [{ type: 'MakeThemeDefault', data: ids, meta: metaOf(request) }], ids);
    },
  );

  app.get(
    '/api/service-integrator/themes/usage',
    {
      config: { audience, permission: 'usage:read' },
      schema: {
        summary: 'Get the customers, users and API calls of each custom theme of a page of the list',
        tags,
        querystring: usagesQuery,
        response: { 200: themeUsagesReply, ...problems(400, 401, 403) },
      },
    },
    async (request) => {
      const { integratorId } = principalAs(request, 'integrator');
      const { days, ...query } = request.query;
      // As below, without row-level security: the filter has the integrator.
      const usages = await systemQueries.themes.usages({ ...themeFilterOf(query), integratorId }, days, dayOf(now()));
      return { success: true as const, usages };
    },
  );

  app.get(
    '/api/service-integrator/themes/:themeId/usage',
    {
      config: { audience, permission: 'usage:read' },
      schema: {
        summary: 'Get the customers, users and API calls of a custom theme',
        tags,
        params,
        querystring: themeUsageQuery,
        response: { 200: themeUsageReply, ...problems(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { integratorId } = principalAs(request, 'integrator');
      // Row-level security would check each customer of the sum; the query checks that the theme is the integrator's.
      const stats = await systemQueries.themes.usage(integratorId, request.params.themeId, request.query.days, dayOf(now()));
      return { success: true as const, stats: found(stats, 'theme_not_found') };
    },
  );
};
