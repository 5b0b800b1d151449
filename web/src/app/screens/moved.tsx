import { Navigate, useLocation } from 'react-router-dom';
import { type LazyScreen, lazyScreen } from '../../lib/lazyScreen.tsx';

/** A former address of a screen: opens the present one, with the same search and filters. */
export const movedTo = (path: string): LazyScreen =>
  lazyScreen(async () => ({ Screen: () => <Navigate to={{ pathname: path, search: useLocation().search }} replace /> }));
