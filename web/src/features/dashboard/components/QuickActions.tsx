import { Flex } from '@chakra-ui/react';
import { Allowed } from '../../../session/permissions.tsx';
import { ActionLink } from '../../../ui/ActionLink.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Activity, Building2, UserPlus, Users } from '../../../ui/icons.ts';
import { dashboardTexts } from '../texts.ts';

const { actions, quickActions } = dashboardTexts;

export const QuickActions = () => (
  <Card w={{ base: 'full', xl: '320px' }} flexShrink="0">
    <CardHead title={quickActions.title} sub={quickActions.sub} />
    <Flex direction="column" px="2" pb="3" gap="0.5">
      <Allowed to="customers:write">
        <ActionLink to="/admin/customers?new=1" icon={UserPlus} texts={actions.createCustomer} />
      </Allowed>
      <Allowed to="integrators:write">
        <ActionLink to="/admin/service-integrators?new=1" icon={Building2} texts={actions.createIntegrator} />
      </Allowed>
      <ActionLink to="/admin/customers" icon={Users} texts={actions.customers} />
      <Allowed to="monitoring:read">
        <ActionLink to="/admin/monitoring" icon={Activity} texts={actions.monitoring} />
      </Allowed>
    </Flex>
  </Card>
);
