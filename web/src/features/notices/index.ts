import { lazy } from 'react';

/** Loaded for named users only. */
export const LazyNoticeList = lazy(async () => ({ default: (await import('./components/NoticeList.tsx')).NoticeList }));
