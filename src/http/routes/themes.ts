import { z } from 'zod';
import { customerReply } from '../../contracts/customers.ts';
import { customerId, themeId } from '../../contracts/fields.ts';
import {
  assignTheme,
  assignThemeToCustomer,
  type BuiltinTheme,
  builtinThemeReply,
  builtinThemesReply,
  currentThemeReply,
} from '../../contracts/themes.ts';
import { type BuiltinTheme as Builtin, builtinTheme, builtinThemes } from '../../domain/theme/builtin.ts';
import { showCustomer } from '../customerWrites.ts';
import type { Routes } from '../deps.ts';
import { visibleCustomer } from '../ownership.ts';
import { principalAs } from '../principal.ts';
import { accepted, found, ifMatch, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';
import { resolveTheme, themeForTerminal } from '../themeChoice.ts';

const params = z.strictObject({ customerId });
const everyone = ['admin', 'integrator', 'customer', 'cli'] as const;
const managers = ['admin', 'integrator'] as const;
const tags = ['Themes'];

const shown = ({
  name,
  displayName,
  description,
  primaryColor,
  secondaryColor,
  accentColor,
  available,
}: Builtin): BuiltinTheme => ({
  name,
  displayName,
  description,
  primaryColor,
  secondaryColor,
  accentColor,
  available,
});

/** The built-in themes, and the theme of a customer. */
export const themeRoutes: Routes = (app, deps) => {
  const { commands } = deps;

  app.get(
    '/api/themes/list',
    {
      config: { audience: everyone, permission: 'themes:read' },
      schema: { summary: 'List the built-in themes', tags, response: { 200: builtinThemesReply, ...problems(401) } },
    },
    async () => ({ success: true as const, themes: builtinThemes.map(shown) }),
  );

  app.get(
    '/api/themes/:name',
    {
      config: { audience: everyone, permission: 'themes:read' },
      schema: {
        summary: 'Get a built-in theme',
        tags,
        params: z.strictObject({ name: z.string().max(100) }),
        response: { 200: builtinThemeReply, ...problems(401, 404) },
      },
    },
    async ({ params }) => ({ success: true as const, theme: shown(found(builtinTheme(params.name), 'theme_not_found')) }),
  );

  app.get(
    '/api/themes/customer/current',
    {
      config: { audience: ['customer'], permission: 'themes:read' },
      schema: {
        summary: "Get the customer's theme for the terminal",
        tags,
        response: { 200: currentThemeReply, ...problems(401, 403) },
      },
    },
    async (request) => {
      const { customerId } = principalAs(request, 'customer');
      const { customer } = found(await request.queries.customers.get(customerId), 'session_required');
      return {
        success: true as const,
        theme: customer.theme === null ? null : await themeForTerminal(request.queries, customer.theme),
      };
    },
  );

  app.post(
    '/api/themes/customer/:customerId/assign',
    {
      config: { audience: managers, permission: 'themes:assign' },
      schema: {
        summary: 'Assign a theme to a customer',
        tags,
        params,
        body: assignTheme,
        response: { 200: customerReply, ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const { customerId, integratorId } = await visibleCustomer(request, request.params.customerId);
      const choice = await resolveTheme(commands, integratorId, request.body.theme);
      const outcome = await commands.customers.handle(
        { type: 'AssignTheme', data: { customerId, ...choice }, meta: metaOf(request) },
        ifMatch(request),
      );
      return { success: true as const, customer: await showCustomer(deps, request, reply, customerId, accepted(outcome).position) };
    },
  );

  app.delete(
    '/api/themes/customer/:customerId/theme',
    {
      config: { audience: managers, permission: 'themes:assign' },
      schema: {
        summary: "Remove a customer's theme",
        tags,
        params,
        response: { 200: customerReply, ...problems(400, 401, 403, 404, 412) },
      },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      const outcome = await commands.customers.handle(
        { type: 'UnassignTheme', data: { customerId }, meta: metaOf(request) },
        ifMatch(request),
      );
      return { success: true as const, customer: await showCustomer(deps, request, reply, customerId, accepted(outcome).position) };
    },
  );

  app.post(
    '/api/service-integrator/themes/:themeId/assign-customer',
    {
      config: { audience: ['integrator'], permission: 'themes:assign' },
      schema: {
        summary: 'Assign the theme to a customer',
        tags,
        params: z.strictObject({ themeId }),
        body: assignThemeToCustomer,
        response: { 200: customerReply, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const { themeId } = request.params;
      found(await request.queries.themes.get(integratorId, themeId), 'theme_not_found');
      const { customerId } = await visibleCustomer(request, request.body.customerId);
      const choice = await resolveTheme(commands, integratorId, themeId);
      const outcome = await commands.customers.handle({
        type: 'AssignTheme',
        data: { customerId, ...choice },
        meta: metaOf(request),
      });
      return { success: true as const, customer: await showCustomer(deps, request, reply, customerId, accepted(outcome).position) };
    },
  );
};
