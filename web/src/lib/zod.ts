import { z } from 'zod/v4';

// Before any schema exists: zod would otherwise try to generate code, which the content security policy blocks and reports.
z.config({ jitless: true });

export * from 'zod/v4';
