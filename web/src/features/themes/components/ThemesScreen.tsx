import { Box, Button, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import type { BuiltinTheme, OwnedTheme } from '../../../../../src/contracts/themes.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { useListAddress } from '../../../lib/listAddress.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card } from '../../../ui/Card.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { SearchField } from '../../../ui/FilterBar.tsx';
import { Palette } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Time } from '../../../ui/Time.tsx';
import { useListQuery } from '../../../ui/useListQuery.ts';
import { LastChange } from '../../history/index.ts';
import { builtinThemesQuery, OWNED_THEMES, type OwnedThemeFilter, ownedThemesQuery } from '../api/themes.ts';
import { themeTexts } from '../texts.ts';
import { type PreviewColors, Swatch, TerminalPreview } from './TerminalPreview.tsx';

const HEIGHT = '420px';
const PAGE_SIZE = 24;

const filterIn = (address: URLSearchParams): Required<Pick<OwnedThemeFilter, 'search' | 'limit' | 'cursor'>> => ({
  search: address.get('search') ?? '',
  limit: PAGE_SIZE,
  cursor: address.get('cursor') ?? '',
});

/** Requests the built-in themes and the page of custom ones before the screen is rendered. */
export const prefetchThemes = (queries: QueryClient, { search }: ScreenAddress): void => {
  void queries.prefetchQuery(builtinThemesQuery());
  void queries.prefetchQuery(ownedThemesQuery(filterIn(search)));
};

type ThemeCardProps = { name: string; displayName: string; description: string | null; colors: PreviewColors; badge: ReactNode };

const ThemeCard = ({ name, displayName, description, colors, badge, children }: ThemeCardProps & { children?: ReactNode }) => (
  <Card as="article" aria-label={displayName}>
    <TerminalPreview colors={colors} />
    <Box px={{ base: '4', md: '5' }} pt="4" pb="5">
      <Flex align="center" justify="space-between" gap="3">
        <Text as="h3" textStyle="lg" fontWeight="semibold" overflowWrap="anywhere">
          {displayName}
        </Text>
        <Flex gap="1.5" flexShrink="0">
          {badge}
        </Flex>
      </Flex>
      <code className="mono">{name}</code>
      <Text textStyle="sm" color="fg.muted" mt="2" minH="5" overflowWrap="anywhere">
        {description}
      </Text>
      <Flex gap="4" mt="4" wrap="wrap">
        <Swatch label={themeTexts.colors.primary} color={colors.primary} />
        <Swatch label={themeTexts.colors.secondary} color={colors.secondary} />
        <Swatch label={themeTexts.colors.accent} color={colors.accent} />
      </Flex>
      {children}
    </Box>
  </Card>
);

const BuiltinCard = ({ theme }: { theme: BuiltinTheme }) => (
  <ThemeCard
    name={theme.name}
    displayName={theme.displayName}
    description={theme.description}
    colors={{ primary: theme.primaryColor, secondary: theme.secondaryColor, accent: theme.accentColor }}
    badge={
      theme.available ? (
        <StatusBadge status="active">{themeTexts.available}</StatusBadge>
      ) : (
        <StatusBadge status="inactive">{themeTexts.unavailable}</StatusBadge>
      )
    }
  />
);

/** Where administrators read the history of a theme. */
const historyOf = ({ serviceIntegratorId: id }: OwnedTheme) =>
  ({ kind: 'integrator', id, path: `/api/admin/service-integrators/${id}` }) as const;

/** When the theme was changed; who did is requested on a click, because a page has many themes. */
const Changed = ({ theme }: { theme: OwnedTheme }) => {
  const [isOpen, setOpen] = useState(false);
  const changed = (
    <>
      {themeTexts.changed} <Time at={theme.updatedAt} as="ago" />
    </>
  );
  return (
    <Box mt="1" textStyle="xs" color="fg.subtle">
      {usePermission('history:read') ? (
        <button type="button" className="text-link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {changed}
        </button>
      ) : (
        changed
      )}
      {isOpen && <LastChange source={historyOf(theme)} about={theme.id} />}
    </Box>
  );
};

const CustomCard = ({ theme }: { theme: OwnedTheme }) => (
  <ThemeCard
    name={theme.themeName}
    displayName={theme.displayName}
    description={theme.description}
    colors={theme.themeConfig.colors}
    badge={
      <>
        {theme.isDefault && <StatusBadge status="chosen">{themeTexts.default}</StatusBadge>}
        {!theme.isActive && <StatusBadge status="inactive">{themeTexts.inactive}</StatusBadge>}
      </>
    }
  >
    <Text textStyle="sm" color="fg.muted" mt="4" overflowWrap="anywhere">
      <Link className="text-link" to={`/admin/service-integrators/${theme.serviceIntegratorId}`}>
        {theme.serviceIntegratorName}
      </Link>
      {` · ${themeTexts.customers(theme.customerCount)}`}
    </Text>
    <Changed theme={theme} />
  </ThemeCard>
);

const Heading = ({ id, children }: { id: string; children: string }) => (
  <Text as="h2" id={id} textStyle="lg" fontWeight="semibold">
    {children}
  </Text>
);

const BuiltinThemes = () => (
  <Box as="section" aria-labelledby="builtin-themes">
    <Box mb="3">
      <Heading id="builtin-themes">{themeTexts.builtin}</Heading>
    </Box>
    <QueryView query={useQuery(builtinThemesQuery())} loading={themeTexts.loading} fallback={themeTexts.loadFailed} height={HEIGHT}>
      {({ themes }) =>
        themes.length === 0 ? (
          <Card>
            <Empty icon={Palette} title={themeTexts.none} hint={themeTexts.noneHint} height={HEIGHT} />
          </Card>
        ) : (
          <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4">
            {themes.map((theme) => (
              <BuiltinCard key={theme.name} theme={theme} />
            ))}
          </SimpleGrid>
        )
      }
    </QueryView>
  </Box>
);

/** The custom themes of every service integrator. */
const CustomThemes = () => {
  const { address, change } = useListAddress();
  const filter = filterIn(address);
  const query = useListQuery(ownedThemesQuery, filter, 'themes');
  const search = useCallback((value: string) => change({ search: value }), [change]);
  return (
    <Box as="section" aria-labelledby="custom-themes" mt="8">
      <Flex mb="3" gap="3" align="center" justify="space-between" wrap="wrap">
        <Heading id="custom-themes">{themeTexts.custom}</Heading>
        <SearchField label={themeTexts.search} placeholder={themeTexts.searchHint} value={filter.search} onChange={search} />
      </Flex>
      <QueryView query={query} loading={themeTexts.loading} fallback={themeTexts.loadFailed} height={HEIGHT}>
        {({ themes, ...page }) =>
          page.total === 0 ? (
            <Card>
              {filter.search === '' ? (
                <Empty icon={Palette} title={themeTexts.noneCustom} hint={themeTexts.noneCustomHint} height="220px" />
              ) : (
                <Empty
                  icon={Palette}
                  title={themeTexts.noneFound}
                  hint={themeTexts.noneFoundHint}
                  height="220px"
                  action={
                    <Button variant="outline" size="sm" onClick={() => change({ search: '' })}>
                      {themeTexts.clearSearch}
                    </Button>
                  }
                />
              )}
            </Card>
          ) : (
            <Box opacity={query.isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={query.isPlaceholderData}>
              <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4">
                {themes.map((theme) => (
                  <CustomCard key={theme.id} theme={theme} />
                ))}
              </SimpleGrid>
              {page.total > PAGE_SIZE && <Pagination page={page} shown={themes.length} noun={themeTexts.noun} isBare />}
            </Box>
          )
        }
      </QueryView>
    </Box>
  );
};

/** Every theme that a customer can have; they are read-only here. */
export const ThemesScreen = () => {
  const { address } = useListAddress();
  return (
    <>
      <PageHead
        title={themeTexts.title}
        sub={themeTexts.sub}
        actions={<ExportMenu lists={[{ path: OWNED_THEMES, query: filterIn(address), label: themeTexts.custom }]} />}
      />
      <BuiltinThemes />
      <CustomThemes />
    </>
  );
};
