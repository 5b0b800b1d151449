import type { AdminActivityEvent } from './adminActivity/events.ts';
import type { ApiCallsEvent } from './apiCalls/events.ts';
import type { CredentialEvent } from './credential/events.ts';
import type { CustomerEvent } from './customer/events.ts';
import type { IntegratorEvent } from './integrator/events.ts';
import type { OperationsEvent } from './operations/events.ts';
import type { PlanEvent } from './plan/events.ts';
import type { SeatDenialEvent } from './seatDenials/events.ts';
import type { SeatLeaseEvent } from './seatLeases/events.ts';
import type { SignInEvent } from './signIns/events.ts';
import type { TeamEvent } from './team/events.ts';
import type { ThemeEvent } from './theme/events.ts';
import type { UserActivityEvent } from './userActivity/events.ts';

/** Every event of the product, by the category of the stream that holds it. */
export type EventsByCategory = {
  customer: CustomerEvent;
  integrator: IntegratorEvent;
  themes: ThemeEvent;
  credential: CredentialEvent;
  userActivity: UserActivityEvent;
  apiCalls: ApiCallsEvent;
  adminActivity: AdminActivityEvent;
  seatDenials: SeatDenialEvent;
  seatLeases: SeatLeaseEvent;
  signIns: SignInEvent;
  team: TeamEvent;
  operations: OperationsEvent;
  plans: PlanEvent;
};

/** The part of a stream's name before the dash. Subscriptions select events by it. */
export type StreamCategory = keyof EventsByCategory;
/** Every category. */
export const STREAM_CATEGORIES: readonly StreamCategory[] = Object.keys({
  customer: true,
  integrator: true,
  themes: true,
  credential: true,
  userActivity: true,
  apiCalls: true,
  adminActivity: true,
  seatDenials: true,
  seatLeases: true,
  signIns: true,
  team: true,
  operations: true,
  plans: true,
} satisfies Record<StreamCategory, true>) as StreamCategory[];

/** An event of any stream; `type` is unique among all categories. */
export type AnyEvent = EventsByCategory[StreamCategory];
/** The type of any event. */
export type EventType = AnyEvent['type'];
/** The event of a type; of several types, any of theirs. */
export type EventOf<Type extends EventType> = Extract<AnyEvent, { type: Type }>;
