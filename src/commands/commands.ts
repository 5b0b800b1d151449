import type { CredentialCommand } from '../domain/credential/commands.ts';
import { type CredentialRefusal, credentialDecider } from '../domain/credential/decider.ts';
import type { CredentialState } from '../domain/credential/evolve.ts';
import type { CustomerCommand } from '../domain/customer/commands.ts';
import { type CustomerRefusal, customerDecider } from '../domain/customer/decider.ts';
import type { CustomerState } from '../domain/customer/state.ts';
import type { CredentialId, CustomerId, IntegratorId, TeamId } from '../domain/ids.ts';
import type { IntegratorCommand } from '../domain/integrator/commands.ts';
import { type IntegratorRefusal, integratorDecider } from '../domain/integrator/decider.ts';
import type { IntegratorState } from '../domain/integrator/evolve.ts';
import { type AlertCommand, type AlertRefusal, type AlertRules, alertsDecider } from '../domain/operations/alerts.ts';
import { type ImportCommand, importsDecider } from '../domain/operations/imports.ts';
import { type ServerCommand, type Servers, serversDecider } from '../domain/operations/servers.ts';
import { type PlanCommand, type PlanRefusal, type Plans, plansDecider } from '../domain/plan/decider.ts';
import { type SeatLeaseCommand, type SeatLeaseRefusal, type SeatLeases, seatLeasesDecider } from '../domain/seatLeases/decider.ts';
import type { TeamCommand } from '../domain/team/commands.ts';
import { type TeamRefusal, teamDecider } from '../domain/team/decider.ts';
import type { Team } from '../domain/team/evolve.ts';
import type { ThemeCommand } from '../domain/theme/commands.ts';
import { type ThemeRefusal, themeDecider } from '../domain/theme/decider.ts';
import type { ThemeCatalogue } from '../domain/theme/evolve.ts';
import type { EventStore } from '../eventstore/port.ts';
import { type CommandHandler, commandHandler } from './commandHandler.ts';
import { streams } from './streams.ts';

/** The write side: one handler per kind of aggregate. A customer's users and machines are part of the customer. */
export type Commands = Readonly<{
  customers: CommandHandler<CustomerId, CustomerCommand, CustomerState, CustomerRefusal>;
  integrators: CommandHandler<IntegratorId, IntegratorCommand, IntegratorState, IntegratorRefusal>;
  /** An integrator's custom themes. */
  themes: CommandHandler<IntegratorId, ThemeCommand, ThemeCatalogue, ThemeRefusal>;
  /** Who holds the floating seats of a customer. */
  seatLeases: CommandHandler<CustomerId, SeatLeaseCommand, SeatLeases, SeatLeaseRefusal>;
  credentials: CommandHandler<CredentialId, CredentialCommand, CredentialState, CredentialRefusal>;
  /** The named users of a tenant. */
  teams: CommandHandler<TeamId, TeamCommand, Team, TeamRefusal>;
  /** The processes of the server, in one stream. */
  servers: CommandHandler<'servers', ServerCommand, Servers, never>;
  /** The alert rules of the installation, in one stream. */
  alerts: CommandHandler<'alerts', AlertCommand, AlertRules, AlertRefusal>;
  /** The imports of files and the bulk actions, in one stream. */
  imports: CommandHandler<'imports', ImportCommand, null, never>;
  /** The plans of the installation, in one stream. */
  plans: CommandHandler<'plans', PlanCommand, Plans, PlanRefusal>;
}>;

/** The write side over an event store. One per process: it queues the commands of each stream and caches the streams' states. */
export const createCommands = (deps: { events: Pick<EventStore, 'read' | 'append'> }): Commands => ({
  customers: commandHandler(customerDecider, { idOf: ({ data }) => data.customerId, streamOf: streams.customer }, deps),
  integrators: commandHandler(integratorDecider, { idOf: ({ data }) => data.integratorId, streamOf: streams.integrator }, deps),
  themes: commandHandler(themeDecider, { idOf: ({ data }) => data.integratorId, streamOf: streams.themes }, deps),
  seatLeases: commandHandler(seatLeasesDecider, { idOf: ({ data }) => data.customerId, streamOf: streams.seatLeases }, deps),
  credentials: commandHandler(credentialDecider, { idOf: ({ data }) => data.credentialId, streamOf: streams.credential }, deps),
  teams: commandHandler(teamDecider, { idOf: ({ data }) => data.teamId, streamOf: streams.team }, deps),
  servers: commandHandler(serversDecider, { idOf: () => 'servers' as const, streamOf: () => streams.servers }, deps),
  alerts: commandHandler(alertsDecider, { idOf: () => 'alerts' as const, streamOf: () => streams.alerts }, deps),
  imports: commandHandler(importsDecider, { idOf: () => 'imports' as const, streamOf: () => streams.imports }, deps),
  plans: commandHandler(plansDecider, { idOf: () => 'plans' as const, streamOf: () => streams.plans }, deps),
});
