import { queryOptions } from '@tanstack/react-query';
import type { AlertRuleBody, AlertsReply } from '../../../../../src/contracts/alerts.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import { alertTexts as texts } from '../texts.ts';

const RULES = '/api/admin/alert-rules';
const ALERTS = '/api/admin/alerts';

/** What the screen exports: all alerts, and their rules. */
export const exportedAlerts = [
  { path: ALERTS, label: texts.exported.alerts },
  { path: RULES, label: texts.exported.rules },
];

/** Alert rules and the newest alerts. */
export const alertsQuery = () =>
  queryOptions({
    queryKey: [...topic.alerts(), 'list'],
    queryFn: ({ signal }) => api.get<AlertsReply>(ALERTS, { signal, fallback: texts.loadFailed }),
  });

const changed = () => [topic.alerts()];

/** `POST /api/admin/alert-rules`. */
export const useCreateRule = () =>
  useChange((body: AlertRuleBody) => api.post(RULES, body, { fallback: texts.createFailed }), changed);

/** `PUT /api/admin/alert-rules/:ruleId`. */
export const useChangeRule = (ruleId: string) =>
  useChange((body: AlertRuleBody) => api.put(`${RULES}/${ruleId}`, body, { fallback: texts.saveFailed }), changed);

/** `DELETE /api/admin/alert-rules/:ruleId`. */
export const useRemoveRule = () =>
  useChange((ruleId: string) => api.delete(`${RULES}/${ruleId}`, { fallback: texts.removeFailed }), changed);
