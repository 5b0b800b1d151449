import { Box, Flex, SimpleGrid } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { CustomThemesReply } from '../../../../../src/contracts/themes.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { oneOf, useListAddress } from '../../../lib/listAddress.ts';
import { Allowed, usePermission } from '../../../session/permissions.tsx';
import { prefetchAsIntegrator, useIntegratorSession } from '../../../session/session.ts';
import { Card } from '../../../ui/Card.tsx';
import { CreateButton } from '../../../ui/CreateButton.tsx';
import { lazyDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { FilterButtons } from '../../../ui/FilterBar.tsx';
import { Palette } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { useListQuery } from '../../../ui/useListQuery.ts';
import { type CustomThemeFilter, customThemesQuery, THEMES_ROOT, themeUsagesQuery } from '../api/customThemes.ts';
import { customThemeTexts as texts } from '../texts.ts';
import { CustomThemeCard } from './CustomThemeCard.tsx';

const FILTERS = ['all', 'active'] as const;
const PAGE_SIZE = 24;
const HEIGHT = '420px';

const CreateThemeModal = lazyDialog(async () => (await import('./CreateThemeModal.tsx')).CreateThemeModal);

const shownIn = (address: URLSearchParams) => oneOf(FILTERS, address.get('show'), 'all');
const filterIn = (address: URLSearchParams): CustomThemeFilter => ({
  ...(shownIn(address) === 'active' && { active: true }),
  limit: PAGE_SIZE,
  cursor: address.get('cursor') ?? '',
});

/** Requests the page of the address before the screen is rendered. */
export const prefetchCustomThemes = (queries: QueryClient, { search }: ScreenAddress): void =>
  prefetchAsIntegrator(queries, ({ id }) => void queries.prefetchQuery(customThemesQuery(id, filterIn(search))));

type CardsProps = { reply: CustomThemesReply; filter: CustomThemeFilter; isAll: boolean };

const Cards = ({ reply: { themes, ...page }, filter, isAll }: CardsProps) => {
  const { id } = useIntegratorSession();
  const { data: usages } = useQuery({ ...themeUsagesQuery(id, filter), enabled: usePermission('usage:read') });
  return (
    <>
      <SimpleGrid as="ul" listStyleType="none" aria-label={texts.list} columns={{ base: 1, md: 2 }} gap="4">
        {themes.map((theme) => (
          <CustomThemeCard key={theme.id} theme={theme} usage={usages?.get(theme.id)} isOnly={isAll && page.total === 1} />
        ))}
      </SimpleGrid>
      {page.total > PAGE_SIZE && <Pagination page={page} shown={themes.length} noun={texts.noun} isBare />}
    </>
  );
};

/** An integrator's own themes. */
export const CustomThemesScreen = () => {
  const { id } = useIntegratorSession();
  const { address, change, openings } = useListAddress();
  const shown = shownIn(address);
  const query = useListQuery((at: CustomThemeFilter) => customThemesQuery(id, at), filterIn(address), 'themes');
  return (
    <>
      <PageHead
        title={texts.title}
        sub={texts.sub}
        actions={
          <>
            <ExportMenu lists={[{ path: THEMES_ROOT, query: filterIn(address) }]} />
            <Allowed to="themes:write">
              <CreateButton form={CreateThemeModal} openings={openings}>
                {texts.create}
              </CreateButton>
            </Allowed>
          </>
        }
      />
      <Flex mb="4">
        <FilterButtons
          label={texts.filter}
          value={shown}
          onChange={(value) => change({ show: value === 'all' ? '' : value })}
          options={FILTERS.map((value) => ({ value, label: texts.filters[value] }))}
        />
      </Flex>
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
        {(reply) => (
          <Box opacity={query.isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={query.isPlaceholderData}>
            {reply.total === 0 ? (
              <Card>
                <Empty
                  icon={Palette}
                  title={texts.none}
                  hint={shown === 'active' ? texts.noneActive : texts.noneHint}
                  height={HEIGHT}
                />
              </Card>
            ) : (
              <Cards reply={reply} filter={filterIn(address)} isAll={shown === 'all'} />
            )}
          </Box>
        )}
      </QueryView>
    </>
  );
};
