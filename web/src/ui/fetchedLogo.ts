import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';

const asDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/**
 * The image at an https address as a data URL; null until it is loaded. The server fetches it with the integrator's session, so
 * that the browser sends no request to another host.
 */
export const useFetchedLogo = (url: string | null): string | null => {
  const { data } = useQuery({
    queryKey: ['logo', url],
    queryFn: async ({ signal }) =>
      asDataUrl(
        (await api.getFile('/api/service-integrator/logo', { query: { url }, accept: 'image/*', as: 'integrator', signal })).file,
      ),
    enabled: url !== null,
    retry: false,
  });
  return url === null ? null : (data ?? null);
};
