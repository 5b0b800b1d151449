import {
  alertRuleBody,
  alertRuleId,
  alertRuleParams,
  alertRuleReply,
  alertRulesReply,
  alertsReply,
  changeAlertRule,
} from '../../contracts/alerts.ts';
import { done } from '../../contracts/replies.ts';
import { MAX_ALERT_CUSTOMERS } from '../../domain/limits.ts';
import type { Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { ALERT_RULES, ALERTS, exportList, exportRows, FILE_DESCRIPTION } from '../listExport.ts';
import { accepted, problems } from '../replies.ts';
import { metaOf, metaOfRevert, newIdFor } from '../requests/meta.ts';
import { expectTenantRevert } from '../tenantReverts.ts';

const audience = ['admin'] as const;
const writing = { audience, permission: 'alerts:write' } as const;
const tags = ['Monitoring'];

/** Alert rules of the installation, and the alerts that they fired. */
export const alertRoutes: Routes = (app, deps) => {
  const {
    systemQueries: { alerts },
    settings,
    commands,
    settle,
  } = deps;

  app.get(
    '/api/admin/alerts',
    {
      config: { audience, permission: 'monitoring:read' },
      schema: {
        summary: 'List alert rules and alerts',
        description: 'With `Accept: text/csv` or `application/x-ndjson` all alerts are streamed as a file, newest first.',
        tags,
        response: { 200: alertsReply, ...problems(401, 403) },
      },
    },
    async (request, reply) => {
      const isSent = await exportList(request, reply, ALERTS, async (page) => {
        const { alerts: rows, nextCursor } = await alerts.page(page);
        return { rows, nextCursor };
      });
      if (isSent) return reply;
      const [rules, list] = await Promise.all([alerts.rules(), alerts.list()]);
      const { sendsEmails } = settings;
      return { success: true as const, rules, alerts: list, sendsEmails, maxCustomers: MAX_ALERT_CUSTOMERS };
    },
  );

  app.get(
    '/api/admin/alert-rules',
    {
      config: { audience, permission: 'monitoring:read' },
      schema: {
        summary: 'List alert rules',
        description: FILE_DESCRIPTION,
        tags,
        response: { 200: alertRulesReply, ...problems(401, 403) },
      },
    },
    async (request, reply) => {
      const rules = await alerts.rules();
      return (await exportRows(request, reply, ALERT_RULES, rules)) ? reply : { success: true as const, rules };
    },
  );

  app.post(
    '/api/admin/alert-rules',
    {
      config: writing,
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Create an alert rule',
        tags,
        body: alertRuleBody,
        response: { 201: alertRuleReply, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const ruleId = alertRuleId.parse(newIdFor(request, 'alert rule'));
      const { name, metric, threshold, forSeconds } = request.body;
      const data = { ruleId, name, metric, threshold, forSeconds };
      const outcome = await commands.alerts.handle({ type: 'CreateAlertRule', data, meta: metaOf(request) });
      await settle(reply, accepted(outcome).position);
      return reply.code(201).send({ success: true as const, ruleId });
    },
  );

  app.put(
    '/api/admin/alert-rules/:ruleId',
    {
      config: writing,
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Change an alert rule; its alert is resolved if the condition changes',
        tags,
        params: alertRuleParams,
        body: changeAlertRule,
        response: { 200: done, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { name, metric, threshold, forSeconds, reverts } = request.body;
      const data = { ruleId: request.params.ruleId, name, metric, threshold, forSeconds };
      await expectTenantRevert.alertRule(deps, data.ruleId, request.body);
      const meta = metaOfRevert(request, reverts);
      const outcome = await commands.alerts.handle({ type: 'ChangeAlertRule', data, meta });
      await settle(reply, accepted(outcome).position);
      return { success: true as const };
    },
  );

  app.delete(
    '/api/admin/alert-rules/:ruleId',
    {
      config: writing,
      schema: {
        summary: 'Remove an alert rule; its alert is resolved',
        tags,
        params: alertRuleParams,
        response: { 200: done, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const data = { ruleId: request.params.ruleId };
      const outcome = await commands.alerts.handle({ type: 'RemoveAlertRule', data, meta: metaOf(request) });
      await settle(reply, accepted(outcome).position);
      return { success: true as const };
    },
  );
};
