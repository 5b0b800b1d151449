import { Time } from '../../../ui/Time.tsx';
import '../../../ui/cards.css';
import { Box, Flex, Text } from '@chakra-ui/react';
import { memo } from 'react';
import type { CustomTheme, ThemeUsage } from '../../../../../src/contracts/themes.ts';
import { format } from '../../../lib/format.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Swatch, TerminalPreview } from '../../themes/index.ts';
import { customThemeTexts as texts } from '../texts.ts';
import { ThemeActions } from './ThemeActions.tsx';

const { facts, colors: colorNames } = texts;

type CustomThemeCardProps = {
  theme: CustomTheme;
  /** Undefined until it is loaded, or without the permission to see it. */
  usage: ThemeUsage | undefined;
  isOnly: boolean;
};

/** One of an integrator's themes, as a terminal shows it. */
export const CustomThemeCard = memo(({ theme, usage, isOnly }: CustomThemeCardProps) => {
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
          <div>
            <dt>{facts.usage}</dt>
            <dd className="wraps">{usage ? texts.usage(format.whole(usage.activeUsers), format.whole(usage.apiCalls)) : '–'}</dd>
          </div>
        </dl>
      </Box>
      <Box px={{ base: '4', md: '5' }} py="3" borderTopWidth="1px" borderColor="border.muted" bg="bg.subtle">
        <ThemeActions theme={theme} isOnly={isOnly} />
      </Box>
    </Card>
  );
});
