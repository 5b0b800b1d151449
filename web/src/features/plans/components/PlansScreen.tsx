import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePermission } from '../../../session/permissions.tsx';
import { BackLink } from '../../../ui/BackLink.tsx';
import { Card } from '../../../ui/Card.tsx';
import { CreateButton } from '../../../ui/CreateButton.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { lazyDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
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
  return (
    <>
      <PageHead
        title={texts.title}
        sub={texts.sub}
        back={<BackLink to="/admin/customers">{texts.back}</BackLink>}
        actions={
          <>
            <ExportMenu lists={[{ path: PLANS }]} />
            {mayWrite && <CreateButton form={CreatePlanModal}>{texts.create}</CreateButton>}
          </>
        }
      />
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height="480px">
        {({ plans }) => (
          <Card>
            <DataTable label={texts.table} rows={plans} keyOf={planKey} columns={columns} item={item} />
          </Card>
        )}
      </QueryView>
    </>
  );
};
