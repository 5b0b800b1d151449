import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import type { CustomerReply } from '../../../../../src/contracts/customers.ts';
import type { IntegratorReply, OwnIntegratorReply } from '../../../../../src/contracts/integrators.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId, IntegratorId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { type CustomerManager, customersPath } from '../../../api/customersPath.ts';
import { clearToken } from '../../../api/tokens.ts';
import { useChange } from '../../../api/useChange.ts';
import { loginPath } from '../../../areas.ts';
import { closeLive, resumeLive } from '../../../live/useLive.ts';
import { keyTexts } from '../texts.ts';

/** Gives a customer a new license key; resolves to the key. */
export const useRotateLicenseKey = (manager: CustomerManager, id: CustomerId) =>
  useChange(
    async (): Promise<string> => {
      const path = `${customersPath[manager]}/${id}/rotate-key`;
      const { customer } = await api.post<CustomerReply>(path, undefined, { fallback: keyTexts.license.failed });
      return customer.licenseKey;
    },
    () => [topic.customer(id), topic.customers(), topic.history(id)],
  );

/** Removes a customer's portal password. */
export const useResetPassword = (manager: CustomerManager, id: CustomerId) =>
  useChange(
    () =>
      api.post<CustomerReply>(`${customersPath[manager]}/${id}/reset-password`, undefined, { fallback: keyTexts.password.failed }),
    () => [topic.customer(id), topic.customers(), topic.history(id)],
  );

/** Gives a service integrator a new master license key, as an administrator; resolves to the key. */
export const useRotateIntegratorKey = (id: IntegratorId) =>
  useChange(
    async (): Promise<string> => {
      const path = `/api/admin/service-integrators/${id}/rotate-key`;
      const reply = await api.post<IntegratorReply>(path, undefined, { fallback: keyTexts.integrator.failed });
      return reply.service_integrator.masterLicenseKey;
    },
    () => [topic.integrator(id), topic.integrators()],
  );

/**
 * Gives the signed-in integrator a new master license key; resolves to the key. This ends the integrator's session. The live
 * feed is closed first: otherwise it could report the ended session, and open the sign-in, before the key is shown.
 */
export const useRotateMasterKey = () =>
  useChange(
    async (): Promise<string> => {
      closeLive('integrator');
      try {
        const { serviceIntegrator } = await api.post<OwnIntegratorReply>('/api/service-integrator/rotate-key', undefined, {
          unauthorized: 'throw',
          fallback: keyTexts.master.failed,
        });
        return serviceIntegrator.masterLicenseKey;
      } catch (error) {
        resumeLive('integrator');
        throw error;
      }
    },
    () => [],
  );

/** Removes the integrator's session, which the server has already ended, and opens the sign-in. */
export const useLeaveEndedSession = (): (() => Promise<void>) => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    clearToken('integrator');
    await navigate(loginPath.integrator);
    queries.clear();
  };
};
