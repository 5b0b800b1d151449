import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePermission } from '../../../session/permissions.tsx';
import { BackLink } from '../../../ui/BackLink.tsx';
import { Card } from '../../../ui/Card.tsx';
import { CreateButton } from '../../../ui/CreateButton.tsx';
import { lazyDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { TableViewMenu } from '../../../ui/listMenus.tsx';
import { useIsWide } from '../../../ui/media.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { useTableView } from '../../../ui/tableView.ts';
import { WholeTable } from '../../../ui/WholeTable.tsx';
import { PLANS, plansQuery } from '../api/plans.ts';
import { planTexts as texts } from '../texts.ts';
import { planKey, planRows } from './planRows.tsx';

const CreatePlanModal = lazyDialog(async () => (await import('./PlanModals.tsx')).CreatePlanModal);

/** Requests the plans before the screen is rendered. */
export const prefetchPlans = (queries: QueryClient): void => void queries.prefetchQuery(plansQuery());

/** The plans of licenses: the built-in one, those for new customers, and those that are retired. */
export const PlansScreen = () => {
  const query = useQuery(plansQuery());
  const mayWrite = usePermission('plans:write');
  const { columns, item } = useMemo(() => planRows(mayWrite), [mayWrite]);
  const view = useTableView('plans', columns);
  const isWide = useIsWide();
  return (
    <>
      <PageHead
        title={texts.title}
        sub={texts.sub}
        back={<BackLink to="/admin/customers">{texts.back}</BackLink>}
        actions={
          <>
            {isWide && <TableViewMenu view={view} />}
            <ExportMenu lists={[{ path: PLANS }]} />
            {mayWrite && <CreateButton form={CreatePlanModal}>{texts.create}</CreateButton>}
          </>
        }
      />
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height="480px">
        {({ plans }) => (
          <Card>
            <WholeTable
              label={texts.table}
              rows={plans}
              keyOf={planKey}
              columns={view.columns}
              isCompact={view.isCompact}
              item={item}
            />
          </Card>
        )}
      </QueryView>
    </>
  );
};
