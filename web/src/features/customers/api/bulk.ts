import type { Customer, CustomerReply, UpdateCustomer } from '../../../../../src/contracts/customers.ts';
import type { AccountStatus } from '../../../../../src/domain/enumerations.ts';
import { putCustomer } from '../../../api/changeCustomer.ts';
import { api, type BulkKeys } from '../../../api/client.ts';
import { type CustomerManager, customersPath } from '../../../api/customersPath.ts';
import { customerBulkTexts as texts } from '../bulkTexts.ts';

/** Sets the status of a customer as it is now; a change made elsewhere in between is refused. Nothing if it has the status. */
export const changeStatus = async (
  manager: CustomerManager,
  { id }: Customer,
  to: { status: AccountStatus; reason: string },
  keys: BulkKeys,
): Promise<void> => {
  const path = `${customersPath[manager]}/${id}`;
  const fallback = texts.updateFailed;
  const { reply, etag } = await api.getTagged<CustomerReply>(path, { fallback });
  const { name, contactEmail, status } = reply.customer;
  if (status === to.status) return;
  const body: UpdateCustomer = { name, contactEmail, status: to.status, ...(to.reason !== '' && { reason: to.reason }) };
  await putCustomer(manager, id, body, { etag, fallback, keys });
};

/** Assigns a theme by name or id, or removes it where `theme` is null. */
export const changeTheme = ({ id }: Customer, theme: string | null, keys: BulkKeys): Promise<unknown> => {
  const options = { ...keys, fallback: texts.assignFailed };
  return theme === null
    ? api.delete<CustomerReply>(`/api/themes/customer/${id}/theme`, options)
    : api.post<CustomerReply>(`/api/themes/customer/${id}/assign`, { theme }, options);
};

const termChanges = {
  renew: { body: (months: number) => ({ months }), fallback: texts.renewFailed },
  extend: { body: (days: number) => ({ days }), fallback: texts.extendFailed },
} as const;

/**
 * Renews a license by months, or extends it by days, from the expiry that the list shows. Nothing if it has another expiry by now: it
 * was changed already.
 */
export const prolongTerm = async (
  manager: CustomerManager,
  { id, term }: Customer,
  { action, by }: { action: keyof typeof termChanges; by: number },
  keys: BulkKeys,
): Promise<void> => {
  const path = `${customersPath[manager]}/${id}`;
  const { body, fallback } = termChanges[action];
  const { reply, etag } = await api.getTagged<CustomerReply>(path, { fallback });
  if (reply.customer.term?.expiresAt !== term?.expiresAt) return;
  await api.post<CustomerReply>(`${path}/term/${action}`, body(by), { ifMatch: etag, ...keys, fallback });
};

type TagChange = Readonly<{ action: 'add' | 'remove'; tags: readonly string[] }>;

/** The tags of a customer with others, or without them, in order. */
export const withTags = (present: readonly string[], { action, tags }: TagChange): string[] =>
  action === 'add' ? [...new Set([...present, ...tags])].sort() : present.filter((tag) => !tags.includes(tag));

/** Adds or removes tags of a customer as it is now; a change made elsewhere in between is refused. Nothing without a difference. */
export const changeTags = async (manager: CustomerManager, { id }: Customer, change: TagChange, keys: BulkKeys): Promise<void> => {
  const path = `${customersPath[manager]}/${id}`;
  const fallback = texts.tagFailed;
  const { reply, etag } = await api.getTagged<CustomerReply>(path, { fallback });
  const { name, contactEmail, tags: present = [] } = reply.customer;
  const tags = withTags(present, change);
  if (tags.length === present.length) return;
  const body: UpdateCustomer = { name, contactEmail, tags };
  await putCustomer(manager, id, body, { etag, fallback, keys });
};
