import { Suspense, useEffect } from 'react';
import { BrowserRouter, Navigate, Route, Routes, useNavigate } from 'react-router-dom';
import { onSignedOut } from '../api/signedOut.ts';
import { type Area, areaRoot, loginPath } from './areas.ts';
import { Boot } from './Boot.tsx';
import { areaScreens } from './screens/areas.ts';
import { landing as Landing, logins } from './screens/public.ts';

const AREAS = ['admin', 'portal', 'integrator'] as const satisfies Area[];

/** Lets a call that finds no live session lead to the sign-in without loading the page anew. */
const SignedOutHandler = () => {
  const navigate = useNavigate();
  useEffect(() => onSignedOut((path) => void navigate(path, { replace: true })), [navigate]);
  return null;
};

const loginRoute = (area: Area) => {
  const Login = logins[area];
  return <Route key={`${area} login`} path={loginPath[area]} element={<Login />} />;
};

const areaRoute = (area: Area) => {
  const { Layout, screens } = areaScreens[area];
  const Index = screens[0]?.screen;
  return (
    <Route key={area} path={areaRoot[area]} element={<Layout />}>
      {Index && <Route index element={<Index />} />}
      {screens.map(({ path, screen: Screen }) => (
        <Route key={path} path={path} element={<Screen />} />
      ))}
      <Route path="*" element={<Navigate to="/" replace />} />
    </Route>
  );
};

export const App = () => (
  <BrowserRouter>
    <SignedOutHandler />
    <Suspense fallback={<Boot />}>
      <Routes>
        <Route path="/" element={<Landing />} />
        {AREAS.map(loginRoute)}
        {AREAS.map(areaRoute)}
        <Route path="*" element={<Navigate to="/" replace />} />
      </Routes>
    </Suspense>
  </BrowserRouter>
);
