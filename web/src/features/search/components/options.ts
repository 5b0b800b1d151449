import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { LucideIcon } from '../../../ui/icons.ts';
import type { Hit } from '../api/search.ts';
import { searchTexts } from '../texts.ts';

/** A screen of an area. */
export type SearchScreen = { to: string; label: string; icon: LucideIcon };

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

/** The screens with a word that starts like the term, all for an empty one. */
export const screensNamed = (screens: readonly SearchScreen[], term: string): Option[] => {
  const typed = term.toLowerCase();
  return screens
    .filter(({ label }) => {
      const name = label.toLowerCase();
      return name.startsWith(typed) || name.split(/[\s-]+/).some((word) => word.startsWith(typed));
    })
    .map(({ to, label, icon }) => ({ key: to, name: label, icon, act: { kind: 'go', to } }));
};

const optionOf = ({ to, name, detail }: Hit): Option => ({ key: to, name, detail, act: { kind: 'go', to } });

type Found = {
  actions: readonly Option[];
  screens: readonly Option[];
  customers: readonly Hit[];
  integrators: readonly Hit[];
};

/** The results by kind, without empty kinds. */
export const groupsOf = ({ actions, screens, customers, integrators }: Found): Group[] => {
  const { groups } = searchTexts;
  return [
    { name: groups.screens, options: screens },
    { name: groups.actions, options: actions },
    { name: groups.customers, options: customers.map(optionOf) },
    { name: groups.integrators, options: integrators.map(optionOf) },
  ].filter(({ options }) => options.length > 0);
};

/** The option some steps after the active one; wraps around. */
export const stepFrom = (options: readonly Option[], active: Option | undefined, steps: 1 | -1): Option | undefined => {
  const at = active ? options.indexOf(active) : -1;
  return options[(at + steps + options.length) % options.length];
};
