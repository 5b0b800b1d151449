import type { PlanCode } from '../../domain/ids.ts';
import type { PlanTerms } from '../../domain/plan/events.ts';
import { defineTable, int4, json, nullable, type RowOf, text, timestamptz } from './defineTable.ts';

/** One row for each plan beside the built-in one. */
export const planTable = defineTable('read.plan', {
  key: ['code'],
  columns: {
    code: text<PlanCode>(),
    terms: json<PlanTerms>(),
    /** Counts the changes of the plan, from 1 on. */
    version: int4(),
    changed_at: timestamptz(),
    retired_at: nullable(timestamptz()),
  },
});

/** A row of `read.plan` in a projection's memory. */
export type PlanRow = RowOf<typeof planTable>;
