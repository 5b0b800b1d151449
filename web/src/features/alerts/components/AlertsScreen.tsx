import { Box } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AlertsReply } from '../../../../../src/contracts/alerts.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { BackLink } from '../../../ui/BackLink.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { CreateButton } from '../../../ui/CreateButton.tsx';
import { lazyDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { CircleCheck, Gauge } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { WholeTable } from '../../../ui/WholeTable.tsx';
import { alertsQuery, exportedAlerts } from '../api/alerts.ts';
import { alertTexts as texts } from '../texts.ts';
import { alertColumnsOf, alertItem, alertKey, ruleKey, ruleRows } from './alertRows.tsx';

const CreateRuleModal = lazyDialog(async () => (await import('./RuleModals.tsx')).CreateRuleModal);

/** Requests rules and alerts before the screen is rendered. */
export const prefetchAlerts = (queries: QueryClient): void => void queries.prefetchQuery(alertsQuery());

const Lists = ({ rules, alerts, sendsEmails, maxCustomers }: AlertsReply) => {
  const mayWrite = usePermission('alerts:write');
  const { columns, item } = useMemo(() => ruleRows(mayWrite), [mayWrite]);
  return (
    <>
      <Card as="section" aria-label={texts.rules}>
        <CardHead title={texts.rules} sub={sendsEmails ? texts.emails : texts.noEmails} />
        {rules.length === 0 ? (
          <Box borderTopWidth="1px" borderColor="border">
            <Empty icon={Gauge} title={texts.noRules} hint={texts.noRulesHint} height="220px" />
          </Box>
        ) : (
          <WholeTable label={texts.rulesTable} rows={rules} keyOf={ruleKey} columns={columns} item={item} />
        )}
      </Card>
      <Card as="section" aria-label={texts.history} mt="4">
        <CardHead title={texts.history} sub={texts.historySub(maxCustomers)} />
        {alerts.length === 0 ? (
          <Box borderTopWidth="1px" borderColor="border">
            <Empty icon={CircleCheck} title={texts.none} height="220px" />
          </Box>
        ) : (
          <WholeTable
            label={texts.historyTable}
            rows={alerts}
            keyOf={alertKey}
            columns={alertColumnsOf}
            item={alertItem}
            sortName="alerts"
          />
        )}
      </Card>
    </>
  );
};

/** Alert rules with their state, and the alerts that they fired. */
export const AlertsScreen = () => {
  const query = useQuery(alertsQuery());
  const mayWrite = usePermission('alerts:write');
  return (
    <>
      <PageHead
        title={texts.title}
        sub={texts.sub}
        back={<BackLink to="/admin/monitoring">{texts.back}</BackLink>}
        actions={
          <>
            <ExportMenu lists={exportedAlerts} />
            {mayWrite && <CreateButton form={CreateRuleModal}>{texts.create}</CreateButton>}
          </>
        }
      />
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height="480px">
        {(reply) => <Lists {...reply} />}
      </QueryView>
    </>
  );
};
