import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { LucideIcon } from '../../../ui/icons.ts';
import type { Hit } from '../api/search.ts';
import { searchTexts } from '../texts.ts';

/** A screen of an area. */
export type SearchScreen = {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Another name of the screen, by which it is found too. */
  alias?: string;
};

/** What choosing an option does. A change of a customer is shown before it is made. */
export type Act = Readonly<
  | { kind: 'go'; to: string }
  | { kind: 'type'; text: string }
  | { kind: 'status'; customer: Customer; to: 'active' | 'suspended' }
  | { kind: 'theme' | 'move'; customer: Customer }
  | { kind: 'shortcuts' }
>;

/** A screen, customer, service integrator or action to choose. Without an icon, a monogram of the name is shown. */
export type Option = { key: string; name: string; detail?: string; icon?: LucideIcon; act: Act };

export type Group = { name: string; options: readonly Option[] };

/** Whether a name, or one of its words, starts like what is typed. */
export const startsIn = (name: string, typed: string): boolean => {
  const [whole, start] = [name.toLowerCase(), typed.toLowerCase()];
  return whole.startsWith(start) || whole.split(/[\s-]+/).some((word) => word.startsWith(start));
};

/** The screens with a word that starts like the term, all for an empty one. The other name is shown where only that is found. */
export const screensNamed = (screens: readonly SearchScreen[], term: string): Option[] =>
  screens.flatMap(({ to, label, alias = '', icon }): Option[] => {
    const screen: Option = { key: to, name: label, icon, act: { kind: 'go', to } };
    if (startsIn(label, term)) return [screen];
    return startsIn(alias, term) ? [{ ...screen, detail: alias }] : [];
  });

const optionOf = ({ to, name, detail }: Hit): Option => ({ key: to, name, detail, act: { kind: 'go', to } });

type Found = {
  actions: readonly Option[];
  screens: readonly Option[];
  customers: readonly Hit[];
  integrators: readonly Hit[];
  users: readonly Hit[];
};

/** The results by kind, without empty kinds. */
export const groupsOf = ({ actions, screens, customers, integrators, users }: Found): Group[] => {
  const { groups } = searchTexts;
  return [
    { name: groups.screens, options: screens },
    { name: groups.actions, options: actions },
    { name: groups.customers, options: customers.map(optionOf) },
    { name: groups.integrators, options: integrators.map(optionOf) },
    { name: groups.users, options: users.map(optionOf) },
  ].filter(({ options }) => options.length > 0);
};

/** The option some steps after the active one; wraps around. */
export const stepFrom = (options: readonly Option[], active: Option | undefined, steps: 1 | -1): Option | undefined => {
  const at = active ? options.indexOf(active) : -1;
  return options[(at + steps + options.length) % options.length];
};
