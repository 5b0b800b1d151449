import type { z } from 'zod';
import type { CustomerReply } from '../../../../../src/contracts/customers.ts';
import type { extension, renewal, SetTerm } from '../../../../../src/contracts/terms.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import type { ManagedCustomer } from '../../../api/changeCustomer.ts';
import { api } from '../../../api/client.ts';
import { customersPath } from '../../../api/customersPath.ts';
import { useChange } from '../../../api/useChange.ts';
import { termDialogTexts as texts } from '../dialogTexts.ts';

const pathOf = ({ manager, customer }: ManagedCustomer): string => `${customersPath[manager]}/${customer.id}/term`;
const touched = (id: CustomerId) => [topic.customer(id), topic.customers(), topic.history(id)];

export const useSetTerm = (owner: ManagedCustomer) =>
  useChange(
    (body: SetTerm) => api.put<CustomerReply>(pathOf(owner), body, { ifMatch: owner.etag, fallback: texts.setFailed }),
    () => touched(owner.customer.id),
  );

export const useRemoveTerm = (owner: ManagedCustomer) =>
  useChange(
    () => api.delete<CustomerReply>(pathOf(owner), { ifMatch: owner.etag, fallback: texts.removeFailed }),
    () => touched(owner.customer.id),
  );

export const useRenewLicense = (owner: ManagedCustomer) =>
  useChange(
    (body: z.infer<typeof renewal>) =>
      api.post<CustomerReply>(`${pathOf(owner)}/renew`, body, { ifMatch: owner.etag, fallback: texts.renewFailed }),
    () => touched(owner.customer.id),
  );

export const useExtendLicense = (owner: ManagedCustomer) =>
  useChange(
    (body: z.infer<typeof extension>) =>
      api.post<CustomerReply>(`${pathOf(owner)}/extend`, body, { ifMatch: owner.etag, fallback: texts.extendFailed }),
    () => touched(owner.customer.id),
  );
