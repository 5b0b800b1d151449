import { z } from 'zod';
import { MAX_DOWNLOAD_PATH } from '../domain/limits.ts';
import { ok } from './replies.ts';

/** The types of files that lists are exported as. */
const exportType = z.enum(['text/csv', 'application/x-ndjson'], 'Must be text/csv or application/x-ndjson');

/** The body of `POST /api/downloads`: a call that exports a list, with its query, and the type of the file. */
export const prepareDownload = z.strictObject({
  path: z
    .string()
    .max(MAX_DOWNLOAD_PATH, `Must have at most ${MAX_DOWNLOAD_PATH} characters: export with fewer filters`)
    .regex(/^\/(?:api|monitoring)\/[!-~]+$/, 'Must be the path of a call'),
  type: exportType,
});
export type PrepareDownload = z.infer<typeof prepareDownload>;

/** Where the file is downloaded, and the cookie that has its name as soon as it begins to arrive. */
export const downloadReply = ok({ url: z.string(), startedCookie: z.string() });
export type DownloadReply = z.infer<typeof downloadReply>;

/** The path parameters of a prepared download. */
export const downloadParams = z.strictObject({ downloadId: z.uuid() });
