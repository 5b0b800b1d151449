import { lazyScreen } from '../../lib/lazyScreen.tsx';

const signIn = () => import('../../features/auth/components/SignInScreens.tsx');

export const landing = lazyScreen(async () => {
  const { LandingScreen } = await import('../../features/landing/components/LandingScreen.tsx');
  return { Screen: LandingScreen };
});

export const join = lazyScreen(async () => {
  const { JoinScreen } = await import('../../features/join/components/JoinScreen.tsx');
  return { Screen: JoinScreen };
});

/** Where the links of invitations lead. */
export const JOIN_PATH = '/join';

export const logins = {
  admin: lazyScreen(async () => ({ Screen: (await signIn()).AdminSignInScreen })),
  portal: lazyScreen(async () => ({ Screen: (await signIn()).CustomerSignInScreen })),
  integrator: lazyScreen(async () => ({ Screen: (await signIn()).IntegratorSignInScreen })),
};
