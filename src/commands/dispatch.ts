import type { CredentialCommand } from '../domain/credential/commands.ts';
import { type CredentialRefusal, credentialDecider } from '../domain/credential/decider.ts';
import type { CredentialState } from '../domain/credential/evolve.ts';
import type { CustomerCommand } from '../domain/customer/commands.ts';
import { type CustomerRefusal, customerDecider } from '../domain/customer/decider.ts';
import type { CustomerState } from '../domain/customer/state.ts';
import type { CredentialId, CustomerId, IntegratorId } from '../domain/ids.ts';
import type { IntegratorCommand } from '../domain/integrator/commands.ts';
import { type IntegratorRefusal, integratorDecider } from '../domain/integrator/decider.ts';
import type { IntegratorState } from '../domain/integrator/evolve.ts';
import type { ThemeCommand } from '../domain/theme/commands.ts';
import { type ThemeRefusal, themeDecider } from '../domain/theme/decider.ts';
import type { ThemeCatalogue } from '../domain/theme/evolve.ts';
import type { EventStore } from '../eventstore/port.ts';
import { commandHandler } from './commandHandler.ts';
import type { DispatchOptions, Outcome } from './outcome.ts';
import type { Snapshot } from './stateCache.ts';
import { streams } from './streams.ts';

type AnyCommand = CustomerCommand | IntegratorCommand | ThemeCommand | CredentialCommand;

type OneOrMore<C> = C | readonly C[];

type Send = {
  (command: OneOrMore<CustomerCommand>, options?: DispatchOptions): Promise<Outcome<CustomerState, CustomerRefusal>>;
  (command: OneOrMore<IntegratorCommand>, options?: DispatchOptions): Promise<Outcome<IntegratorState, IntegratorRefusal>>;
  (command: OneOrMore<ThemeCommand>, options?: DispatchOptions): Promise<Outcome<ThemeCatalogue, ThemeRefusal>>;
  (command: OneOrMore<CredentialCommand>, options?: DispatchOptions): Promise<Outcome<CredentialState, CredentialRefusal>>;
};

type Load = {
  (kind: 'customer', id: CustomerId): Promise<Snapshot<CustomerState>>;
  (kind: 'integrator', id: IntegratorId): Promise<Snapshot<IntegratorState>>;
  (kind: 'themes', id: IntegratorId): Promise<Snapshot<ThemeCatalogue>>;
  (kind: 'credential', id: CredentialId): Promise<Snapshot<CredentialState>>;
};

type Loadable =
  | [kind: 'customer', id: CustomerId]
  | [kind: 'integrator' | 'themes', id: IntegratorId]
  | [kind: 'credential', id: CredentialId];

/**
 * Has a command decided and its events written; a list of commands of one stream is decided in order and written as one. `load` gives
 * what a stream folds to now. Both throw `EventStoreUnavailable`, and `TooManyLostRaces` when other nodes always were faster.
 */
export type Dispatch = Send & Readonly<{ load: Load }>;

/** Which aggregate decides a command. */
const deciders = {
  RegisterCustomer: 'customer',
  AbandonEnrolment: 'customer',
  ChangeCustomerDetails: 'customer',
  AllocateSeats: 'customer',
  EnforceSeatLimits: 'customer',
  RelaxSeatLimits: 'customer',
  EnforceMachineApproval: 'customer',
  RelaxMachineApproval: 'customer',
  SuspendCustomer: 'customer',
  ReactivateCustomer: 'customer',
  ChurnCustomer: 'customer',
  AssignTheme: 'customer',
  UnassignTheme: 'customer',
  FallBackFromTheme: 'customer',
  RotateLicenseKey: 'customer',
  ChangePassword: 'customer',
  ResetPassword: 'customer',
  RequestAccountDeletion: 'customer',
  WithdrawAccountDeletion: 'customer',
  DeleteCustomer: 'customer',
  RegisterUser: 'customer',
  SignInUser: 'customer',
  ChangeUserDetails: 'customer',
  ChangeUserRole: 'customer',
  ExpectUser: 'customer',
  RequestMachineApproval: 'customer',
  ApproveMachine: 'customer',
  RejectMachine: 'customer',
  RemoveMachine: 'customer',
  ActivateUser: 'customer',
  DeactivateUser: 'customer',
  SuspendUser: 'customer',
  RegisterIntegrator: 'integrator',
  ChangeIntegratorProfile: 'integrator',
  SuspendIntegrator: 'integrator',
  ReactivateIntegrator: 'integrator',
  ChurnIntegrator: 'integrator',
  EnableWhiteLabel: 'integrator',
  DisableWhiteLabel: 'integrator',
  ChangeBranding: 'integrator',
  EnrolCustomer: 'integrator',
  WithdrawCustomer: 'integrator',
  RotateMasterLicenseKey: 'integrator',
  DeleteIntegrator: 'integrator',
  CreateTheme: 'themes',
  ReviseTheme: 'themes',
  MakeThemeDefault: 'themes',
  ActivateTheme: 'themes',
  DeactivateTheme: 'themes',
  DeleteTheme: 'themes',
  StoreCredential: 'credential',
  ReviseCredential: 'credential',
  RecordCredentialTest: 'credential',
  ExpireCredential: 'credential',
  DeleteCredential: 'credential',
} as const satisfies { [Type in AnyCommand['type']]: AggregateOf<Type> };

type AggregateOf<Type> = Type extends CustomerCommand['type']
  ? 'customer'
  : Type extends IntegratorCommand['type']
    ? 'integrator'
    : Type extends ThemeCommand['type']
      ? 'themes'
      : 'credential';

const isCustomerCommand = (command: AnyCommand): command is CustomerCommand => deciders[command.type] === 'customer';
const isIntegratorCommand = (command: AnyCommand): command is IntegratorCommand => deciders[command.type] === 'integrator';
const isThemeCommand = (command: AnyCommand): command is ThemeCommand => deciders[command.type] === 'themes';
const isCredentialCommand = (command: AnyCommand): command is CredentialCommand => deciders[command.type] === 'credential';

/** The write side over an event store. One a process, since it lines up the commands of a stream. */
export const createDispatch = ({ events }: { events: Pick<EventStore, 'read' | 'append'> }): Dispatch => {
  const customers = commandHandler(customerDecider, ({ data }) => streams.customer(data.customerId), { events });
  const integrators = commandHandler(integratorDecider, ({ data }) => streams.integrator(data.integratorId), { events });
  const catalogues = commandHandler(themeDecider, ({ data }) => streams.themes(data.integratorId), { events });
  const credentials = commandHandler(credentialDecider, ({ data }) => streams.credential(data.credentialId), { events });

  function send(command: OneOrMore<CustomerCommand>, options?: DispatchOptions): Promise<Outcome<CustomerState, CustomerRefusal>>;
  function send(
    command: OneOrMore<IntegratorCommand>,
    options?: DispatchOptions,
  ): Promise<Outcome<IntegratorState, IntegratorRefusal>>;
  function send(command: OneOrMore<ThemeCommand>, options?: DispatchOptions): Promise<Outcome<ThemeCatalogue, ThemeRefusal>>;
  function send(
    command: OneOrMore<CredentialCommand>,
    options?: DispatchOptions,
  ): Promise<Outcome<CredentialState, CredentialRefusal>>;
  async function send(command: OneOrMore<AnyCommand>, options?: DispatchOptions): Promise<unknown> {
    const commands: readonly AnyCommand[] = 'type' in command ? [command] : command;
    if (commands.every(isCustomerCommand)) return customers.handle(commands, options);
    if (commands.every(isIntegratorCommand)) return integrators.handle(commands, options);
    if (commands.every(isThemeCommand)) return catalogues.handle(commands, options);
    if (commands.every(isCredentialCommand)) return credentials.handle(commands, options);
    throw new Error('Commands of more than one stream');
  }

  function load(kind: 'customer', id: CustomerId): Promise<Snapshot<CustomerState>>;
  function load(kind: 'integrator', id: IntegratorId): Promise<Snapshot<IntegratorState>>;
  function load(kind: 'themes', id: IntegratorId): Promise<Snapshot<ThemeCatalogue>>;
  function load(kind: 'credential', id: CredentialId): Promise<Snapshot<CredentialState>>;
  async function load(...[kind, id]: Loadable): Promise<unknown> {
    switch (kind) {
      case 'customer':
        return customers.load(streams.customer(id));
      case 'integrator':
        return integrators.load(streams.integrator(id));
      case 'themes':
        return catalogues.load(streams.themes(id));
      case 'credential':
        return credentials.load(streams.credential(id));
    }
  }

  return Object.assign(send, { load });
};
