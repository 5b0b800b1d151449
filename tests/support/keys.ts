/** The administrator's key of every server that a test starts. */
export const ADMIN_KEY = 'the-admin-key-of-the-tests';

/** What these servers derive their keys from. */
export const MASTER_SECRET = Buffer.alloc(32, 7).toString('base64');
