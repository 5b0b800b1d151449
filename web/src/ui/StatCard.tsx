import './rows.css';
import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Card } from './Card.tsx';
import type { LucideIcon } from './icons.ts';
import { Link } from './Link.tsx';
import { Sparkline } from './Sparkline.tsx';

type StatCardProps = {
  label: string;
  value: ReactNode;
  icon?: LucideIcon;
  /** The line below the number. */
  hint?: ReactNode;
  trend?: readonly number[];
  /** A chart token, as `chart-1`. */
  color?: string;
  /** The screen that shows what the number counts: the whole card is a link to it. */
  to?: string | undefined;
};

/** A number with its name and, if given, its history. */
export const StatCard = ({ label, value, icon: Icon, hint, trend, color = 'chart-1', to }: StatCardProps) => (
  <Card
    as="article"
    aria-label={label}
    {...(to !== undefined && { position: 'relative', className: 'stat-opens' })}
    display="flex"
    flexDirection="column"
    p={{ base: '4', md: '5' }}
    pb={{ base: '3.5', md: '4' }}
  >
    <Flex align="center" justify="space-between" color="fg.muted" gap="2">
      <Text textStyle="sm" fontWeight="medium" lineClamp="2">
        {to === undefined ? (
          label
        ) : (
          <Link className="stat-link" to={to}>
            {label}
          </Link>
        )}
      </Text>
      {Icon && (
        <Box asChild color="fg.subtle" flexShrink="0" hideBelow="sm">
          <Icon size={16} strokeWidth={1.9} aria-hidden />
        </Box>
      )}
    </Flex>
    <Box
      textStyle={{ base: '2xl', md: '3xl' }}
      fontWeight="semibold"
      fontVariantNumeric="tabular-nums"
      mt="2"
      data-stat={label}
      overflowWrap="anywhere"
    >
      {value}
    </Box>
    {(hint || trend) && (
      <Flex
        align="flex-end"
        justify="space-between"
        gap="2"
        mt={{ base: '0', md: 'auto' }}
        pt="1"
        minH={trend ? { base: '5', md: '34px' } : '5'}
      >
        <Flex align="center" gap="1" textStyle="xs" color="fg.subtle" pb="0.5" minW="0" wrap="wrap">
          {hint}
        </Flex>
        {trend && (
          <Box hideBelow="md" flexShrink="0">
            <Sparkline values={trend} color={`var(--chakra-colors-${color})`} />
          </Box>
        )}
      </Flex>
    )}
  </Card>
);
