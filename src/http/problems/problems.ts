import type { CallsRefused } from '../../contracts/callQuotas.ts';
import type { Issue } from '../../contracts/issues.ts';
import type { RequestedApproval } from '../../contracts/machines.ts';
import type { ChoosableTenant, Problem } from '../../contracts/replies.ts';
import { type EdgeCode, edgeProblems } from './edgeProblems.ts';
import { type Refusal, refusals } from './refusals.ts';

/** Every code of a failed request: refusals of the domain, a changed revision, and errors of the HTTP layer. */
export type ProblemCode = Refusal | EdgeCode;

const problems: Record<ProblemCode, readonly [status: number, text: string]> = { ...refusals, ...edgeProblems };

/** Seconds after which a refused request may be sent again, where the refusal does not know better. */
const RETRY_AFTER: Partial<Record<ProblemCode, number>> = {
  too_many_attempts: 60,
  idempotency_in_progress: 1,
  too_many_tests: 5,
  too_many_imports: 10,
  overloaded: 1,
  unavailable: 2,
};

/** A refusal on its way to the client. `text` replaces the code's own text where more can be said. */
export class HttpProblem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly issues: readonly Issue[] | undefined;
  /** Issues that are not listed. */
  readonly moreIssues: number | undefined;
  readonly approval: RequestedApproval | undefined;
  readonly tenants: readonly ChoosableTenant[] | undefined;
  readonly calls: CallsRefused | undefined;
  /** Whole seconds. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ProblemCode,
    detail: {
      text?: string;
      issues?: readonly Issue[];
      moreIssues?: number;
      retryAfter?: number;
      approval?: RequestedApproval;
      tenants?: readonly ChoosableTenant[];
      calls?: CallsRefused;
    } = {},
  ) {
    super(detail.text ?? problems[code][1]);
    this.code = code;
    this.status = problems[code][0];
    this.issues = detail.issues;
    this.moreIssues = detail.moreIssues;
    this.approval = detail.approval;
    this.tenants = detail.tenants;
    this.calls = detail.calls;
    this.retryAfter = detail.retryAfter ?? RETRY_AFTER[code];
  }

  get body(): Problem {
    return {
      success: false,
      error: this.message,
      code: this.code,
      ...(this.issues && { issues: [...this.issues] }),
      ...(this.moreIssues !== undefined && { moreIssues: this.moreIssues }),
      ...(this.approval && { approval: this.approval }),
      ...(this.tenants && { tenants: [...this.tenants] }),
      ...(this.calls && { calls: this.calls }),
    };
  }
}
