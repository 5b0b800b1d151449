import type { DomainEvent } from '../event.ts';
import type { ThemeId } from '../ids.ts';

/** Colours are hex with a leading #, six digits, as `#0070AD`. */
export type ThemeLook = Readonly<{
  displayName: string;
  description: string | null;
  primaryColor: string;
  secondaryColor: string | null;
  accentColor: string | null;
}>;

export type ThemeCreated = DomainEvent<'ThemeCreated', ThemeLook & { themeId: ThemeId; themeName: string }>;
export type ThemeRevised = DomainEvent<'ThemeRevised', ThemeLook & { themeId: ThemeId }>;
export type ThemeMadeDefault = DomainEvent<'ThemeMadeDefault', { themeId: ThemeId }>;
export type ThemeActivated = DomainEvent<'ThemeActivated', { themeId: ThemeId }>;
export type ThemeDeactivated = DomainEvent<'ThemeDeactivated', { themeId: ThemeId }>;
export type ThemeDeleted = DomainEvent<'ThemeDeleted', { themeId: ThemeId }>;

/** The events of a catalogue's stream. */
export type ThemeEvent = ThemeCreated | ThemeRevised | ThemeMadeDefault | ThemeActivated | ThemeDeactivated | ThemeDeleted;
