import { SimpleGrid } from '@chakra-ui/react';
import type { DashboardStats } from '../../../../../src/contracts/stats.ts';
import { format } from '../../../lib/format.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Delta } from '../../../ui/Delta.tsx';
import { Palette } from '../../../ui/icons.ts';
import { StatCard } from '../../../ui/StatCard.tsx';
import { CustomerStatCards } from '../../dashboard/index.ts';
import { integratorDashboardTexts as texts } from '../texts.ts';

/** The numbers of themes are undefined until they are loaded. */
type OwnStatsProps = { stats: DashboardStats; themes: number | undefined; activeThemes: number | undefined };

/** An integrator's four numbers: of its customers with their last 30 days, and of its themes. */
export const OwnStats = ({ stats, themes, activeThemes }: OwnStatsProps) => (
  <SimpleGrid columns={{ base: 2, xl: 4 }} gap={{ base: '3', md: '4' }}>
    <CustomerStatCards stats={stats} manager="integrator" />
    <StatCard
      label={texts.customThemes}
      icon={Palette}
      to={usePermission('themes:read') ? '/service-integrator/themes' : undefined}
      value={themes === undefined ? '–' : format.whole(themes)}
      hint={activeThemes !== undefined && <Delta value={format.whole(activeThemes)} text={texts.activeThemes} />}
    />
  </SimpleGrid>
);
