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
 * The picture at an https address, fetched by the server with the integrator's session, as the source of an image; null as long as there
 * is none. The browser itself asks no other host.
 */
export const useFetchedLogo = (url: string | null): string | null => {
  const { data } = useQuery({
    queryKey: ['logo', url],
    queryFn: async ({ signal }) =>
      asDataUrl(await api.getFile('/api/service-integrator/logo', { query: { url }, accept: 'image/*', as: 'integrator', signal })),
    enabled: url !== null,
    retry: false,
  });
  return url === null ? null : (data ?? null);
};
