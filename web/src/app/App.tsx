import { Suspense, useEffect } from 'react';
import { BrowserRouter, Navigate, Route, Routes, useNavigate } from 'react-router-dom';
import { AREAS, type Area, areaRoot, loginPath } from '../areas.ts';
import { Reauthentication } from '../features/reauthentication/index.ts';
import { PreloaderContext } from '../lib/preloader.ts';
import { setNavigate } from '../session/signedOut.ts';
import { PageSpinner } from '../ui/PageSpinner.tsx';
import { preloader } from './preload.ts';
import { areaScreens, notFound as NotFoundScreen } from './screens/areas.ts';
import { JOIN_PATH, join as Join, landing as Landing, logins } from './screens/public.ts';

/** Opens the sign-in without a reload of the page when a call finds no live session. */
const SignedOutHandler = () => {
  const navigate = useNavigate();
  useEffect(() => setNavigate((path) => void navigate(path, { replace: true })), [navigate]);
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
      <Route path="*" element={<NotFoundScreen />} />
    </Route>
  );
};

/** The routes of all areas. Each screen is loaded when it is opened, or before by `preloader`. */
export const App = () => (
  <BrowserRouter>
    <SignedOutHandler />
    <Reauthentication />
    <PreloaderContext value={preloader}>
      <Suspense fallback={<PageSpinner />}>
        <Routes>
          <Route path="/" element={<Landing />} />
          <Route path={JOIN_PATH} element={<Join />} />
          {AREAS.map(loginRoute)}
          {AREAS.map(areaRoute)}
          <Route path="*" element={<Navigate to="/" replace />} />
        </Routes>
      </Suspense>
    </PreloaderContext>
  </BrowserRouter>
);
