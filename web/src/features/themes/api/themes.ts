import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { BuiltinThemesReply, OwnedThemesReply } from '../../../../../src/contracts/themes.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { themeTexts } from '../texts.ts';

/** Where the custom themes of all service integrators are. */
export const OWNED_THEMES = '/api/admin/themes';

/** The built-in themes. They change with a release of the server only, so no topic names them. */
export const builtinThemesQuery = () =>
  queryOptions({
    queryKey: ['builtinThemes'],
    queryFn: ({ signal }) => api.get<BuiltinThemesReply>('/api/themes/list', { signal, fallback: themeTexts.loadFailed }),
  });

/** The query of the custom themes of all service integrators; absent fields do not filter. */
export type OwnedThemeFilter = { serviceIntegratorId?: string; active?: true; search?: string; limit: number; cursor?: string };

/** A page of the custom themes of all service integrators, or of one, oldest first; for administrators. */
export const ownedThemesQuery = (filter: OwnedThemeFilter) =>
  queryOptions({
    queryKey: [...topic.allThemes(), filter],
    queryFn: ({ signal }) => api.get<OwnedThemesReply>(OWNED_THEMES, { query: filter, signal, fallback: themeTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });
