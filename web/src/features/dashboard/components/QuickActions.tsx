import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { Link } from 'react-router-dom';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Activity, ArrowRight, Building2, type LucideIcon, UserPlus, Users } from '../../../ui/icons.ts';
import { dashboardTexts } from '../texts.ts';

const { actions, quickActions } = dashboardTexts;
const Anchor = chakra(Link);

type ActionProps = { to: string; icon: LucideIcon; texts: { title: string; sub: string } };

const Action = ({ to, icon: Icon, texts }: ActionProps) => (
  <Anchor
    to={to}
    className="group"
    display="flex"
    alignItems="center"
    gap="3"
    px="3"
    py="2.5"
    borderRadius="l2"
    _hover={{ bg: 'bg.subtle' }}
    transition="background-color .12s"
  >
    <Flex boxSize="9" align="center" justify="center" borderRadius="l2" bg="brand.subtle" color="brand.fg" flexShrink="0">
      <Icon size={17} strokeWidth={1.9} aria-hidden />
    </Flex>
    <Box flex="1" minW="0">
      <Text textStyle="sm" fontWeight="medium">
        {texts.title}
      </Text>
      <Text textStyle="xs" color="fg.subtle">
        {texts.sub}
      </Text>
    </Box>
    <Box asChild color="fg.subtle" transition="transform .15s" _groupHover={{ transform: 'translateX(2px)' }}>
      <ArrowRight size={15} aria-hidden />
    </Box>
  </Anchor>
);

export const QuickActions = () => (
  <Card w={{ base: 'full', xl: '320px' }} flexShrink="0">
    <CardHead title={quickActions.title} sub={quickActions.sub} />
    <Flex direction="column" px="2" pb="3" gap="0.5">
      <Action to="/admin/customers?new=1" icon={UserPlus} texts={actions.createCustomer} />
      <Action to="/admin/service-integrators?new=1" icon={Building2} texts={actions.createIntegrator} />
      <Action to="/admin/customers" icon={Users} texts={actions.customers} />
      <Action to="/admin/monitoring" icon={Activity} texts={actions.monitoring} />
    </Flex>
  </Card>
);
