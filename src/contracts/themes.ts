import { z } from 'zod';
import { MAX_DESCRIPTION, MAX_DISPLAY_NAME, MAX_THEME_NAME } from '../domain/limits.ts';
import { customerId, hexColor, instant, integratorId, optionalText, text, themeId } from './fields.ts';
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
export type BuiltinTheme = z.infer<typeof builtinTheme>;
export const builtinThemesReply = ok({ themes: z.array(builtinTheme) });
export type BuiltinThemesReply = z.infer<typeof builtinThemesReply>;
export const builtinThemeReply = ok({ theme: builtinTheme });
/** Null while the customer has no theme. */
export const currentThemeReply = ok({ theme: cliTheme.nullable() });

const customTheme = z.object({
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
export type CustomTheme = z.infer<typeof customTheme>;
export const customThemesReply = page({ themes: z.array(customTheme) });
export type CustomThemesReply = z.infer<typeof customThemesReply>;
export const customThemeReply = ok({ theme: customTheme });

/** A custom theme as administrators see it: with the service integrator that owns it. */
const ownedTheme = customTheme.extend({ serviceIntegratorId: integratorId, serviceIntegratorName: z.string() });
export type OwnedTheme = z.infer<typeof ownedTheme>;
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
export const updateTheme = z.strictObject({ ...look, isActive: z.boolean().optional() });
export type UpdateTheme = z.infer<typeof updateTheme>;

/** Query strings arrive as text. Themes are listed oldest first. */
export const themeQuery = z.strictObject({ ...listQuery, active: z.enum(['true', 'false']).optional() });
export type ThemeQuery = z.infer<typeof themeQuery>;
export const ownedThemeQuery = themeQuery.extend({ serviceIntegratorId: integratorId.optional() });

export const assignTheme = z.strictObject({ theme: text(MAX_DISPLAY_NAME) });
export const assignThemeToCustomer = z.strictObject({ customerId });

const themeUsage = z.object({ customers: z.int(), activeUsers: z.int(), apiCalls: z.int() });
export const themeUsageReply = ok({ stats: themeUsage });
