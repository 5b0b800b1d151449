import { Center } from '@chakra-ui/react';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import type { Grants } from '../../../src/contracts/auth.ts';
import { isSignedOut } from '../api/error.ts';
import { queryClientOf } from '../api/queryClients.ts';
import { type Area, signInPathFor } from '../areas.ts';
import { PreferenceOwner, preferenceOwner } from '../lib/preferences.ts';
import { ErrorState } from '../ui/states.tsx';
import { offeredTo, Permissions } from './permissions.tsx';
import { rememberPath } from './returnPath.ts';
import { adminSessionQuery, customerSessionQuery, integratorSessionQuery } from './session.ts';

type GateProps = {
  area: Area;
  session: {
    isPending: boolean;
    isError: boolean;
    data: Grants | undefined;
    error: unknown;
    isFetching: boolean;
    refetch: () => unknown;
  };
  /** What distinguishes the tenant of the session, beside the named user. */
  account: string | null | undefined;
  /** Shown until the session is known. */
  pending: ReactNode;
  children: ReactNode;
};

type InnerGateProps = Pick<GateProps, 'pending' | 'children'>;

const ToSignIn = ({ area }: { area: Area }) => {
  const location = useLocation();
  useEffect(() => rememberPath(location), [location]);
  return <Navigate to={signInPathFor(area, location.pathname)} replace />;
};

const Gate = ({ area, session, account, pending, children }: GateProps) => {
  if (session.isPending) return pending;
  if (session.isError && isSignedOut(session.error)) return <ToSignIn area={area} />;
  if (session.data === undefined) {
    return (
      <Center as="main" minH="100dvh">
        <ErrorState
          error={session.error}
          fallback="The server cannot be reached"
          onRetry={() => void session.refetch()}
          isRetrying={session.isFetching}
        />
      </Center>
    );
  }
  return (
    <PreferenceOwner value={preferenceOwner(area, account ?? '', session.data.name ?? '')}>
      <Permissions value={offeredTo(session.data)}>{children}</Permissions>
    </PreferenceOwner>
  );
};

const AdminGate = ({ pending, children }: InnerGateProps) => {
  const session = useQuery(adminSessionQuery);
  return (
    <Gate area="admin" session={session} account={session.data?.email} pending={pending}>
      {children}
    </Gate>
  );
};
const PortalGate = ({ pending, children }: InnerGateProps) => {
  const session = useQuery(customerSessionQuery);
  return (
    <Gate area="portal" session={session} account={session.data?.customer.id} pending={pending}>
      {children}
    </Gate>
  );
};
const IntegratorGate = ({ pending, children }: InnerGateProps) => {
  const session = useQuery(integratorSessionQuery);
  return (
    <Gate area="integrator" session={session} account={session.data?.serviceIntegrator.id} pending={pending}>
      {children}
    </Gate>
  );
};

const gates = { admin: AdminGate, portal: PortalGate, integrator: IntegratorGate } as const;

type GuardProps = InnerGateProps & { area: Area };

/** Renders the children if the user is signed in to the area; `pending` until that is known, else the area's sign-in. */
export const Guard = ({ area, pending, children }: GuardProps) => {
  const AreaGate = gates[area];
  return (
    <QueryClientProvider client={queryClientOf(area)}>
      <AreaGate pending={pending}>{children}</AreaGate>
    </QueryClientProvider>
  );
};
