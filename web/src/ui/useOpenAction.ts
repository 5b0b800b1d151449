import { useNavigate } from 'react-router-dom';
import type { ToastAction } from './notify.ts';

/** Makes the action of a toast that opens what was created, by the path of its screen. */
export const useOpenAction = (): ((path: string) => ToastAction) => {
  const navigate = useNavigate();
  return (path) => ({ label: 'Open', run: () => void navigate(path) });
};
