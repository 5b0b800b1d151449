export type PolicyTables = {
  /** How far each policy has come, and in which store. */
  'policy.checkpoint': {
    policy: string;
    /** Written as text: it may be past what a JavaScript number holds. */
    position: string;
    store_id: string | null;
  };
  /** What a policy remembers from one event to another. */
  'policy.note': {
    policy: string;
    key: string;
    value: string;
    due_at: Date | null;
  };
  /** Policies that failed repeatedly and have not worked since. */
  'policy.failure': {
    policy: string;
    error: string;
    failed_at: Date;
  };
};
