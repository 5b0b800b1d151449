import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import type { Permission } from '../../../../../src/domain/permissions.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { type Area, areaRoot } from '../../../areas.ts';
import { Activity, ArrowRight, Gauge, type LucideIcon, Palette, Pause, Play, Plus, Upload, Users, Zap } from '../../../ui/icons.ts';
import { callsAddress } from '../../calls/index.ts';
import { searchTexts } from '../texts.ts';
import { type Act, type Option, startsIn } from './options.ts';

const { verbs: verbTexts, commands: texts } = searchTexts;

/** An action without an object. */
export type SearchCommand = Readonly<{ name: string; icon: LucideIcon; needs?: Permission; act: Act }>;

const go = (to: string): Act => ({ kind: 'go', to });

const shortcuts: SearchCommand = { name: texts.shortcuts, icon: Zap, act: { kind: 'shortcuts' } };

/** The actions of each area that need no customer. */
export const commandsIn = {
  admin: [
    { name: texts.createCustomer, icon: Plus, needs: 'customers:write', act: go('/admin/customers?new=1') },
    { name: texts.createIntegrator, icon: Plus, needs: 'integrators:write', act: go('/admin/service-integrators?new=1') },
    { name: texts.importCustomers, icon: Upload, needs: 'customers:write', act: go('/admin/customers?import=1') },
    { name: texts.importUsers, icon: Upload, needs: 'users:write', act: go('/admin/users?import=1') },
    shortcuts,
  ],
  integrator: [
    { name: texts.createCustomer, icon: Plus, needs: 'customers:write', act: go('/service-integrator/customers?new=1') },
    { name: texts.createTheme, icon: Plus, needs: 'themes:write', act: go('/service-integrator/themes?new=1') },
    { name: texts.importCustomers, icon: Upload, needs: 'customers:write', act: go('/service-integrator/customers?import=1') },
    { name: texts.importUsers, icon: Upload, needs: 'users:write', act: go('/service-integrator/users?import=1') },
    shortcuts,
  ],
  portal: [{ name: texts.addCredential, icon: Plus, needs: 'credentials:write', act: go('/portal/credentials?new=1') }, shortcuts],
} as const satisfies Record<Area, readonly SearchCommand[]>;

type Word = Readonly<{ text: string; icon: LucideIcon; needs: Permission }>;

/** An action on a customer: typed as the verb and the customer's name. */
export type Verb = Word &
  Readonly<{
    /** Whether the action would change or show something. */
    fits: (customer: Customer) => boolean;
    act: (customer: Customer, manager: CustomerManager) => Act;
  }>;

const always = (): boolean => true;
const calls = { admin: '/admin/monitoring/calls', integrator: '/service-integrator/calls' } as const;

/** The actions on customers of those who manage them. */
const VERBS: readonly Verb[] = [
  {
    text: verbTexts.suspend,
    icon: Pause,
    needs: 'customers:write',
    fits: ({ status }) => status !== 'suspended',
    act: (customer) => ({ kind: 'status', customer, to: 'suspended' }),
  },
  {
    text: verbTexts.reactivate,
    icon: Play,
    needs: 'customers:write',
    fits: ({ status }) => status !== 'active',
    act: (customer) => ({ kind: 'status', customer, to: 'active' }),
  },
  {
    text: verbTexts.assignTheme,
    icon: Palette,
    needs: 'themes:assign',
    fits: always,
    act: (customer) => ({ kind: 'theme', customer }),
  },
  {
    text: verbTexts.usage,
    icon: Gauge,
    needs: 'usage:read',
    fits: always,
    act: ({ id }, manager) => go(`${areaRoot[manager]}/usage?customer=${id}`),
  },
  {
    text: verbTexts.calls,
    icon: Activity,
    needs: 'calls:read',
    fits: always,
    act: ({ id }, manager) => go(callsAddress(calls[manager], { customer: id })),
  },
  {
    text: verbTexts.users,
    icon: Users,
    needs: 'users:read',
    fits: always,
    act: ({ id }, manager) => go(`${areaRoot[manager]}/users?customer=${id}`),
  },
];

const move: Verb = {
  text: verbTexts.move,
  icon: ArrowRight,
  needs: 'customers:write',
  fits: always,
  act: (customer) => ({ kind: 'move', customer }),
};

/** The actions on customers in each area. Only administrators move a customer to another service integrator. */
export const verbsIn = { admin: [...VERBS, move], integrator: VERBS, portal: [] } as const satisfies Record<Area, readonly Verb[]>;

/** An action on a service integrator, by administrators. */
export type IntegratorVerb = Word &
  Readonly<{ fits: (integrator: ServiceIntegrator) => boolean; to: (integrator: ServiceIntegrator) => string }>;

/** The form shows the effects of a status before it is saved. */
const withStatus = (status: 'active' | 'suspended') => ({
  needs: 'integrators:write' as const,
  fits: (integrator: ServiceIntegrator): boolean => integrator.status !== status,
  to: ({ id }: ServiceIntegrator): string => `/admin/service-integrators/${id}?status=${status}`,
});

const INTEGRATOR_VERBS: readonly IntegratorVerb[] = [
  { text: verbTexts.suspend, icon: Pause, ...withStatus('suspended') },
  { text: verbTexts.reactivate, icon: Play, ...withStatus('active') },
  {
    text: verbTexts.calls,
    icon: Activity,
    needs: 'calls:read',
    fits: always,
    to: ({ id }) => callsAddress(calls.admin, { integrator: id }),
  },
  {
    text: verbTexts.customers,
    icon: Users,
    needs: 'customers:read',
    fits: always,
    to: ({ id }) => `/admin/customers?integrator=${id}`,
  },
];

/** The actions on service integrators in each area. */
export const integratorVerbsIn = { admin: INTEGRATOR_VERBS, integrator: [], portal: [] } as const satisfies Record<
  Area,
  readonly IntegratorVerb[]
>;

const startsWith = (text: string, start: string): boolean => text.toLowerCase().startsWith(start.toLowerCase());

/**
 * The verb that a term begins with, and the rest of the term: what to search for. `customer` and `integrator` are the actions of the verb
 * on either.
 */
export const verbIn = (
  verbs: readonly Verb[],
  integratorVerbs: readonly IntegratorVerb[],
  term: string,
): { word: Word; rest: string; customer: Verb | undefined; integrator: IntegratorVerb | undefined } | undefined => {
  const isSaid = ({ text }: Word): boolean => startsWith(`${term} `, `${text} `);
  const [customer, integrator] = [verbs.find(isSaid), integratorVerbs.find(isSaid)];
  const word = customer ?? integrator;
  return word && { word, rest: term.slice(word.text.length).trim(), customer, integrator };
};

/** The fewest letters that suggest a verb. */
const SUGGESTED_FROM = 2;

/** The actions whose name has a word that begins like the term. */
export const commandsNamed = (commands: readonly SearchCommand[], term: string): Option[] =>
  term === ''
    ? []
    : commands.filter(({ name }) => startsIn(name, term)).map(({ name, icon, act }) => ({ key: name, name, icon, act }));

/** The verbs that a term is the beginning of; choosing one types it. */
export const verbsNamed = (verbs: readonly Word[], term: string): Option[] =>
  term.length < SUGGESTED_FROM
    ? []
    : verbs
        .filter(({ text }, at) => startsWith(text, term) && verbs.findIndex((other) => other.text === text) === at)
        .map(({ text, icon }) => ({
          key: text,
          name: `${text}…`,
          detail: searchTexts.verbHint,
          icon,
          act: { kind: 'type', text: `${text} ` },
        }));

/** The action of a verb for each customer that it fits. */
export const customerActions = (verb: Verb, customers: readonly Customer[], manager: CustomerManager): Option[] =>
  customers.filter(verb.fits).map((customer) => ({
    key: `${verb.text} ${customer.id}`,
    name: `${verb.text} ${customer.name}`,
    detail: customer.contactEmail,
    icon: verb.icon,
    act: verb.act(customer, manager),
  }));

/** The action of a verb for each service integrator that it fits. */
export const integratorActions = (verb: IntegratorVerb, integrators: readonly ServiceIntegrator[]): Option[] =>
  integrators.filter(verb.fits).map((integrator) => ({
    key: `${verb.text} ${integrator.id}`,
    name: `${verb.text} ${integrator.companyName}`,
    detail: searchTexts.integrator,
    icon: verb.icon,
    act: go(verb.to(integrator)),
  }));
