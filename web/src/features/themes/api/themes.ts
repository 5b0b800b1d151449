import { queryOptions } from '@tanstack/react-query';
import type { BuiltinThemesReply } from '../../../../../src/contracts/themes.ts';
import { api } from '../../../api/client.ts';
import { themeTexts } from '../texts.ts';

/** The built-in themes. They change with a release of the server only, so no topic names them. */
export const builtinThemesQuery = () =>
  queryOptions({
    queryKey: ['builtinThemes'],
    queryFn: ({ signal }) => api.get<BuiltinThemesReply>('/api/themes/list', { signal, fallback: themeTexts.loadFailed }),
  });
