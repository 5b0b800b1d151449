/** The third-party services whose calls are counted and for which credentials are stored. */
export const SERVICES = ['jira', 'azdo', 'confluence'] as const;
/** A third-party service; `azdo` is Azure DevOps. */
export type Service = (typeof SERVICES)[number];
/** Whether a value names a third-party service. */
export const isService = (value: unknown): value is Service => SERVICES.some((service) => service === value);

/** The kinds of seats, in the order in which they are shown. */
export const SEAT_KINDS = ['developer', 'stakeholder'] as const;
/** A kind of seat. Each kind has its own limit. */
export type SeatKind = (typeof SEAT_KINDS)[number];

/** The statuses of customers and of service integrators. */
export const ACCOUNT_STATUSES = ['active', 'suspended', 'churned'] as const;
/**
 * The status of a customer's license, of which only an active one can be used and a churned one has ended, or of a service integrator,
 * whose status does not affect that of its customers.
 */
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** The statuses of users. */
export const USER_STATUSES = ['active', 'inactive', 'suspended'] as const;
/** The status of a user. Only an active user holds a seat. */
export type UserStatus = (typeof USER_STATUSES)[number];

/** The roles of a customer's users. */
export const USER_ROLES = ['developer', 'stakeholder', 'admin'] as const;
/** The role of a user. A stakeholder may not use the tool; `developer` and `admin` need a developer seat. */
export type UserRole = (typeof USER_ROLES)[number];
