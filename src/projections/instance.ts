import { createHash } from 'node:crypto';
import type { Service } from '../domain/credential/events.ts';

/** What stands for a third-party base address in keys: a URL of 2,048 characters is too long for an index. A UUID in form only. */
export const instanceKeyOf = (service: Service, instanceUrl: string): string => {
  const hex = createHash('sha256').update(`${service}\n${instanceUrl}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
};
