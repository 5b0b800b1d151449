import type { z } from 'zod';
import type { Customer, CustomerReply } from '../../../../../src/contracts/customers.ts';
import type { extension, renewal, SetTerm } from '../../../../../src/contracts/terms.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { type CustomerManager, customersPath } from '../../../api/customersPath.ts';
import { useChange } from '../../../api/useChange.ts';
import { termDialogTexts as texts } from '../dialogTexts.ts';

/** Whose term is changed, by whom, and the version that the screen shows. */
export type TermOwner = Readonly<{ manager: CustomerManager; customer: Customer; etag: string | null }>;

const pathOf = ({ manager, customer }: TermOwner): string => `${customersPath[manager]}/${customer.id}/term`;
const touched = (id: CustomerId) => [topic.customer(id), topic.customers(), topic.history(id)];

export const useSetTerm = (owner: TermOwner) =>
  useChange(
    (body: SetTerm) => api.put<CustomerReply>(pathOf(owner), body, { ifMatch: owner.etag, fallback: texts.setFailed }),
    () => touched(owner.customer.id),
  );

export const useRemoveTerm = (owner: TermOwner) =>
  useChange(
    () => api.delete<CustomerReply>(pathOf(owner), { ifMatch: owner.etag, fallback: texts.removeFailed }),
    () => touched(owner.customer.id),
  );

export const useRenewLicense = (owner: TermOwner) =>
  useChange(
    (body: z.infer<typeof renewal>) =>
      api.post<CustomerReply>(`${pathOf(owner)}/renew`, body, { ifMatch: owner.etag, fallback: texts.renewFailed }),
    () => touched(owner.customer.id),
  );

export const useExtendLicense = (owner: TermOwner) =>
  useChange(
    (body: z.infer<typeof extension>) =>
      api.post<CustomerReply>(`${pathOf(owner)}/extend`, body, { ifMatch: owner.etag, fallback: texts.extendFailed }),
    () => touched(owner.customer.id),
  );
