import { z } from 'zod';
import type { ThemeEvent } from '../../domain/theme/events.ts';
import { type CategoryCodec, first } from './codec.ts';
import { text, textOrNull, themeId } from './fields.ts';

const ofTheme = z.strictObject({ themeId });
const look = {
  displayName: text,
  description: textOrNull,
  primaryColor: text,
  secondaryColor: textOrNull,
  accentColor: textOrNull,
};

export const themesCodec: CategoryCodec<ThemeEvent> = {
  ownerOf: () => null,
  events: {
    ThemeCreated: first(z.strictObject({ themeId, themeName: text, ...look })),
    ThemeRevised: first(z.strictObject({ themeId, ...look })),
    ThemeMadeDefault: first(ofTheme),
    ThemeActivated: first(ofTheme),
    ThemeDeactivated: first(ofTheme),
    ThemeDeleted: first(ofTheme),
  },
};
