import { Time } from '../../../ui/Time.tsx';
import '../../../ui/cards.css';
import { Box, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { CustomTheme } from '../../../../../src/contracts/themes.ts';
import { format } from '../../../lib/format.ts';
import { useIntegratorSession } from '../../../session/session.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Swatch, TerminalPreview } from '../../themes/index.ts';
import { themeUsageQuery } from '../api/customThemes.ts';
import { customThemeTexts as texts } from '../texts.ts';
import { ThemeActions } from './ThemeActions.tsx';

const { facts, colors: colorNames } = texts;

/** The usage of the theme; a dash until it is loaded. */
const Usage = ({ theme }: { theme: CustomTheme }) => {
  const { data } = useQuery(themeUsageQuery(useIntegratorSession().id, theme.id));
  return (
    <div>
      <dt>{facts.usage}</dt>
      <dd className="wraps">{data ? texts.usage(format.whole(data.stats.activeUsers), format.whole(data.stats.apiCalls)) : '–'}</dd>
    </div>
  );
};

/** One of an integrator's themes, as a terminal shows it. */
export const CustomThemeCard = memo(({ theme, isOnly }: { theme: CustomTheme; isOnly: boolean }) => {
  const { colors } = theme.themeConfig;
  return (
    <Card as="li" display="flex" flexDirection="column" aria-label={theme.displayName} data-theme={theme.themeName}>
      <TerminalPreview colors={colors} />
      <Box px={{ base: '4', md: '5' }} pt="4" pb="4" flex="1">
        <Flex align="center" justify="space-between" gap="3">
          <Text as="h2" textStyle="lg" fontWeight="semibold" overflowWrap="anywhere">
            {theme.displayName}
          </Text>
          <Flex gap="1.5" flexShrink="0">
            {theme.isDefault && <StatusBadge status="chosen">{texts.default}</StatusBadge>}
            {!theme.isActive && <StatusBadge status="inactive">{texts.inactive}</StatusBadge>}
          </Flex>
        </Flex>
        <Box as="code" className="mono" overflowWrap="anywhere">
          {theme.themeName}
        </Box>
        <Text textStyle="sm" color="fg.muted" mt="2" minH="5" overflowWrap="anywhere">
          {theme.description}
        </Text>
        <Flex gap="4" mt="4" wrap="wrap">
          <Swatch label={colorNames.primary} color={colors.primary} />
          <Swatch label={colorNames.secondary} color={colors.secondary} />
          <Swatch label={colorNames.accent} color={colors.accent} />
        </Flex>
        <dl className="card-facts">
          <div>
            <dt>{facts.created}</dt>
            <dd>
              <Time at={theme.createdAt} as="date" />
            </dd>
          </div>
          <div>
            <dt>{facts.updated}</dt>
            <dd>
              <Time at={theme.updatedAt} as="date" />
            </dd>
          </div>
          <div>
            <dt>{facts.customers}</dt>
            <dd>{format.whole(theme.customerCount)}</dd>
          </div>
          <Usage theme={theme} />
        </dl>
      </Box>
      <Box px={{ base: '4', md: '5' }} py="3" borderTopWidth="1px" borderColor="border.muted" bg="bg.subtle">
        <ThemeActions theme={theme} isOnly={isOnly} />
      </Box>
    </Card>
  );
});
