import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether an Authorization header brings the token; the time that this takes does not depend on how much of it is right. */
export const bearerFits = (authorization: string | undefined, token: string): boolean => {
  const given = /^Bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
};
