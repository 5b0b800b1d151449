import { z } from 'zod/v4';

// Before any schema is made: zod would try to generate code, which the content security policy forbids and reports.
z.config({ jitless: true });

export * from 'zod/v4';
