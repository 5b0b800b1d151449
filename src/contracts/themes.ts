import { z } from 'zod';
import { MAX_DESCRIPTION, MAX_DISPLAY_NAME, MAX_THEME_NAME } from '../domain/limits.ts';
import { customerId, hexColor, instant, integratorId, optionalText, reverts, text, themeId } from './fields.ts';
import { listQuery, ok, page } from './replies.ts';

const themeConfig = z.object({
  name: z.string(),
  colors: z.object({
    primary: z.string(),
    secondary: z.string(),
    accent: z.string(),
    background: z.string(),
    foreground: z.string(),
  }),
});

/** What a terminal shows: the customer's theme, or the plain one. */
export const cliTheme = themeConfig.extend({ displayName: z.string() });
/** The colors that the tool uses. */
export type CliTheme = z.infer<typeof cliTheme>;

const builtinTheme = z.object({
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  primaryColor: z.string(),
  secondaryColor: z.string(),
  accentColor: z.string(),
  available: z.boolean(),
});
/** A theme of the product. */
export type BuiltinTheme = z.infer<typeof builtinTheme>;
/** The reply of `GET /api/themes/list`. */
export const builtinThemesReply = ok({ themes: z.array(builtinTheme) });
export type BuiltinThemesReply = z.infer<typeof builtinThemesReply>;
/** The reply of `GET /api/themes/:name`. */
export const builtinThemeReply = ok({ theme: builtinTheme });
/** Null while the customer has no theme. */
export const currentThemeReply = ok({ theme: cliTheme.nullable() });

/** A theme of a service integrator. */
export const customTheme = z.object({
  id: themeId,
  themeName: z.string(),
  displayName: z.string(),
  description: z.string().nullable(),
  primaryColor: z.string(),
  secondaryColor: z.string().nullable(),
  accentColor: z.string().nullable(),
  isDefault: z.boolean(),
  isActive: z.boolean(),
  /** Customers that have it now. */
  customerCount: z.int(),
  /** Display name of the theme that those customers get when this one is deleted: the default, or null for none. */
  fallbackTheme: z.string().nullable(),
  themeConfig,
  createdAt: instant,
  updatedAt: instant,
});
/** A theme of a service integrator. */
export type CustomTheme = z.infer<typeof customTheme>;
/** A page of a service integrator's themes, oldest first. */
export const customThemesReply = page({ themes: z.array(customTheme) });
export type CustomThemesReply = z.infer<typeof customThemesReply>;
/** A custom theme after a read or a change; its ETag is the revision for `If-Match`. */
export const customThemeReply = ok({ theme: customTheme });

/** A custom theme as administrators see it: with the service integrator that owns it. */
const ownedTheme = customTheme.extend({ serviceIntegratorId: integratorId, serviceIntegratorName: z.string() });
/** A custom theme with the service integrator that owns it. */
export type OwnedTheme = z.infer<typeof ownedTheme>;
/** A page of the themes of all service integrators, oldest first. */
export const ownedThemesReply = page({ themes: z.array(ownedTheme) });
export type OwnedThemesReply = z.infer<typeof ownedThemesReply>;

const themeNameMessage = 'Theme name must contain only lowercase letters, numbers, hyphens, and underscores';
const primaryColor = z
  .string()
  .trim()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Primary color must be a valid hex color (e.g., #0070AD)')
  .transform((value) => value.toUpperCase());
const optionalColor = z.preprocess((value) => (value === undefined || value === '' ? null : value), hexColor.nullable());

const look = {
  displayName: text(MAX_DISPLAY_NAME),
  description: optionalText(MAX_DESCRIPTION),
  primaryColor,
  secondaryColor: optionalColor,
  accentColor: optionalColor,
  isDefault: z.boolean().default(false),
  /** Accepted for older clients and ignored: the server derives it from the colours. */
  themeConfig: z.unknown().optional(),
};

/** The body of `POST /api/service-integrator/themes`. */
export const createTheme = z.strictObject({
  themeName: z
    .string()
    .trim()
    .min(1)
    .max(MAX_THEME_NAME)
    .regex(/^[a-z0-9_-]+$/, themeNameMessage),
  ...look,
});
export type CreateTheme = z.infer<typeof createTheme>;
/** The body of `PUT /api/service-integrator/themes/:themeId`. */
export const updateTheme = z.strictObject({ ...look, isActive: z.boolean().optional(), reverts });
export type UpdateTheme = z.infer<typeof updateTheme>;

/** Query strings arrive as text. Themes are listed oldest first. */
export const themeQuery = z.strictObject({ ...listQuery, active: z.enum(['true', 'false']).optional() });
export type ThemeQuery = z.infer<typeof themeQuery>;
/** The query of `GET /api/admin/themes`. */
export const ownedThemeQuery = themeQuery.extend({ serviceIntegratorId: integratorId.optional() });

/** The body of `POST /api/themes/customer/:customerId/assign`: a built-in theme's name or a custom theme's id. */
export const assignTheme = z.strictObject({ theme: text(MAX_DISPLAY_NAME) });
/** The body of `POST /api/service-integrator/themes/:themeId/assign-customer`. */
export const assignThemeToCustomer = z.strictObject({ customerId });

/** The customers of a custom theme, their active users, and the API calls of these customers in the requested days. */
const themeUsage = z.object({ customers: z.int(), activeUsers: z.int(), apiCalls: z.int() });
export type ThemeUsage = z.infer<typeof themeUsage>;
/** The customers of a custom theme, their active users, and their calls in the requested days. */
export const themeUsageReply = ok({ stats: themeUsage });
/** The usage of each custom theme of a page, in the order of the list. */
export const themeUsagesReply = ok({ usages: z.array(themeUsage.extend({ id: themeId })) });
export type ThemeUsagesReply = z.infer<typeof themeUsagesReply>;
