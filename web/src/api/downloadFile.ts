import type { DownloadReply, PrepareDownload } from '../../../src/contracts/downloads.ts';
import { api, isProblem, withQuery } from './client.ts';
import { ApiError } from './error.ts';

const POLL_MS = 150;
/** A browser has taken over a download within this time after it began. */
const KEPT_MS = 10_000;

const valueIn = (cookie: string): string | undefined =>
  document.cookie
    .split('; ')
    .find((one) => one.startsWith(`${cookie}=`))
    ?.slice(cookie.length + 1);

/** Why a frame shows a reply instead of a download that began. */
const failureIn = (frame: HTMLIFrameElement, fallback: string): ApiError => {
  const unknown = new ApiError(fallback, { status: 0, code: 'no_answer' });
  try {
    const body: unknown = JSON.parse(frame.contentDocument?.body.textContent ?? '');
    return isProblem(body) ? new ApiError(body.error || fallback, { status: 0, code: body.code }) : unknown;
  } catch {
    return unknown;
  }
};

/** Loads a prepared download in a frame, which does not leave the page as a link would where the download fails. */
const load = ({ url, startedCookie }: DownloadReply, fallback: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const frame = document.createElement('iframe');
    frame.hidden = true;
    const check = (): boolean => {
      const name = valueIn(startedCookie);
      if (name === undefined) return false;
      window.clearInterval(timer);
      window.setTimeout(() => frame.remove(), KEPT_MS);
      resolve(decodeURIComponent(name));
      return true;
    };
    const timer = window.setInterval(check, POLL_MS);
    frame.onload = () => {
      if (check()) return;
      window.clearInterval(timer);
      reject(failureIn(frame, fallback));
      frame.remove();
    };
    frame.src = url;
    document.body.append(frame);
  });

type Options = { query?: Parameters<typeof withQuery>[1]; type: PrepareDownload['type']; fallback: string };

/**
 * Lets the browser download all entries of a list, so that they are never in the memory of the page. Resolves to the name of the file
 * when it begins to arrive; from then on the browser shows the progress, and a failure. Throws an `ApiError` before.
 */
export const downloadFile = async (path: string, { query, type, fallback }: Options): Promise<string> => {
  const asked: PrepareDownload = { path: withQuery(path, query), type };
  return load(await api.post<DownloadReply>('/api/downloads', asked, { fallback }), fallback);
};
