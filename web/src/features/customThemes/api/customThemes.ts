import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CustomerReply } from '../../../../../src/contracts/customers.ts';
import type {
  CreateTheme,
  CustomTheme,
  CustomThemesReply,
  ThemeUsagesReply,
  UpdateTheme,
} from '../../../../../src/contracts/themes.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId, IntegratorId, ThemeId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import { customThemeTexts } from '../texts.ts';

/** Where the themes of the service integrator are. */
export const THEMES_ROOT = '/api/service-integrator/themes';

type OneReply = { success: true; theme: CustomTheme };

/** The query of a service integrator's themes; absent fields do not filter. */
export type CustomThemeFilter = { active?: true; search?: string; limit?: number; cursor?: string };

/** A page of an integrator's themes, oldest first; `owner` is its own id. */
export const customThemesQuery = (owner: IntegratorId, filter: CustomThemeFilter = {}) =>
  queryOptions({
    queryKey: [...topic.themes(owner), 'list', filter],
    queryFn: ({ signal }) =>
      api.get<CustomThemesReply>(THEMES_ROOT, { query: filter, signal, fallback: customThemeTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });

/** One theme, with the version to send along when changing it. */
export const customThemeQuery = (owner: IntegratorId, id: ThemeId) =>
  queryOptions({
    queryKey: [...topic.themes(owner), 'one', id],
    queryFn: async ({ signal }) => {
      const { reply, etag } = await api.getTagged<OneReply>(`${THEMES_ROOT}/${id}`, {
        signal,
        fallback: customThemeTexts.loadFailed,
      });
      return { theme: reply.theme, etag };
    },
  });

/** The active users of each theme of a page and its API calls of 30 days, by the theme's id. */
export const themeUsagesQuery = (owner: IntegratorId, filter: CustomThemeFilter) =>
  queryOptions({
    queryKey: [...topic.themes(owner), 'usage', filter],
    queryFn: ({ signal }) =>
      api.get<ThemeUsagesReply>(`${THEMES_ROOT}/usage`, {
        query: { ...filter, days: 30 },
        signal,
        fallback: customThemeTexts.usageFailed,
      }),
    select: ({ usages }) => new Map(usages.map((usage) => [usage.id, usage])),
    placeholderData: keepPreviousData,
  });

/** A customer shows the name of its theme, so the customers are fetched again too. */
const touched = (owner: IntegratorId) => () => [topic.themes(owner), topic.customers(), ['customer']];

/** `POST /api/service-integrator/themes`. */
export const useCreateTheme = (owner: IntegratorId) =>
  useChange(
    (body: CreateTheme) => api.post<OneReply>(THEMES_ROOT, body, { fallback: customThemeTexts.createFailed }),
    touched(owner),
  );

/** `PUT /api/service-integrator/themes/:themeId`. `etag` is that of the read which the form shows. */
export const useUpdateTheme = (owner: IntegratorId, id: ThemeId) =>
  useChange(
    ({ body, etag }: { body: UpdateTheme; etag: string | null }) =>
      api.put<OneReply>(`${THEMES_ROOT}/${id}`, body, { ifMatch: etag, fallback: customThemeTexts.updateFailed }),
    touched(owner),
  );

/** `DELETE /api/service-integrator/themes/:themeId`. Its customers get the default theme, or none. */
export const useDeleteTheme = (owner: IntegratorId, id: ThemeId) =>
  useChange(() => api.delete(`${THEMES_ROOT}/${id}`, { fallback: customThemeTexts.deleteFailed }), touched(owner));

/** `POST …/themes/:themeId/set-default`: new customers get this theme. */
export const useSetDefaultTheme = (owner: IntegratorId, id: ThemeId) =>
  useChange(
    () => api.post<OneReply>(`${THEMES_ROOT}/${id}/set-default`, undefined, { fallback: customThemeTexts.setDefaultFailed }),
    touched(owner),
  );

/** `POST …/themes/:themeId/assign-customer`, for one customer of the service integrator. */
export const useAssignTheme = (owner: IntegratorId, customerId: CustomerId) =>
  useChange(
    (themeId: ThemeId) =>
      api.post<CustomerReply>(
        `${THEMES_ROOT}/${themeId}/assign-customer`,
        { customerId },
        { fallback: customThemeTexts.assignFailed },
      ),
    touched(owner),
  );
