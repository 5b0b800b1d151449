import type { PrepareDownload } from '../../../src/contracts/downloads.ts';
import { withQuery } from './client.ts';

type Options = { query?: Parameters<typeof withQuery>[1]; type: PrepareDownload['type']; fallback: string };

/**
 * Lets the browser download all entries of a list, so that they are never in the memory of the page. Resolves to the name of the file
 * when it begins to arrive; from then on the browser shows the progress, and a failure. Throws an `ApiError` before.
 */
export const downloadFile = async (path: string, { query, type, fallback }: Options): Promise<string> => {
  const { prepareAndLoad } = await import('./loadDownload.ts');
  return prepareAndLoad({ path: withQuery(path, query), type }, fallback);
};
