import { Box, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { BuiltinTheme } from '../../../../../src/contracts/themes.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Palette } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { builtinThemesQuery } from '../api/themes.ts';
import { themeTexts } from '../texts.ts';
import { Swatch, TerminalPreview } from './TerminalPreview.tsx';

const HEIGHT = '60vh';

export const prefetchThemes = (queries: QueryClient): void => void queries.prefetchQuery(builtinThemesQuery());

const ThemeCard = ({ theme }: { theme: BuiltinTheme }) => (
  <Card as="article" aria-label={theme.displayName}>
    <TerminalPreview colors={{ primary: theme.primaryColor, secondary: theme.secondaryColor, accent: theme.accentColor }} />
    <Box px={{ base: '4', md: '5' }} pt="4" pb="5">
      <Flex align="center" justify="space-between" gap="3">
        <Text as="h2" textStyle="lg" fontWeight="semibold">
          {theme.displayName}
        </Text>
        {theme.available ? (
          <StatusBadge status="active">{themeTexts.available}</StatusBadge>
        ) : (
          <StatusBadge status="inactive">{themeTexts.unavailable}</StatusBadge>
        )}
      </Flex>
      <code className="mono">{theme.name}</code>
      <Text textStyle="sm" color="fg.muted" mt="2" minH="5">
        {theme.description}
      </Text>
      <Flex gap="4" mt="4" wrap="wrap">
        <Swatch label={themeTexts.colors.primary} color={theme.primaryColor} />
        <Swatch label={themeTexts.colors.secondary} color={theme.secondaryColor} />
        <Swatch label={themeTexts.colors.accent} color={theme.accentColor} />
      </Flex>
    </Box>
  </Card>
);

export const ThemesScreen = () => (
  <>
    <PageHead title={themeTexts.title} sub={themeTexts.sub} />
    <QueryView query={useQuery(builtinThemesQuery())} loading={themeTexts.loading} fallback={themeTexts.loadFailed} height={HEIGHT}>
      {({ themes }) =>
        themes.length === 0 ? (
          <Card>
            <Empty icon={Palette} title={themeTexts.none} hint={themeTexts.noneHint} height="420px" />
          </Card>
        ) : (
          <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4">
            {themes.map((theme) => (
              <ThemeCard key={theme.name} theme={theme} />
            ))}
          </SimpleGrid>
        )
      }
    </QueryView>
  </>
);
