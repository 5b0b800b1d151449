import type { LucideIcon } from '../../../ui/icons.ts';
import type { Hit } from '../api/search.ts';
import { searchTexts } from '../texts.ts';

/** A screen of an area. */
export type SearchScreen = { to: string; label: string; icon: LucideIcon };

/** A screen, customer or service integrator to choose. Without an icon, a monogram of the name is shown. */
export type Option = { to: string; name: string; detail?: string; icon?: LucideIcon };

export type Group = { name: string; options: readonly Option[] };

/** The screens with a word that starts like the term, all for an empty one. */
export const screensNamed = (screens: readonly SearchScreen[], term: string): Option[] => {
  const typed = term.toLowerCase();
  return screens
    .filter(({ label }) => {
      const name = label.toLowerCase();
      return name.startsWith(typed) || name.split(/[\s-]+/).some((word) => word.startsWith(typed));
    })
    .map(({ to, label, icon }) => ({ to, name: label, icon }));
};

type Found = { screens: readonly Option[]; customers: readonly Hit[]; integrators: readonly Hit[] };

/** The results by kind, without empty kinds. */
export const groupsOf = ({ screens, customers, integrators }: Found): Group[] => {
  const { groups } = searchTexts;
  return [
    { name: groups.screens, options: screens },
    { name: groups.customers, options: customers },
    { name: groups.integrators, options: integrators },
  ].filter(({ options }) => options.length > 0);
};

/** The option some steps after the active one; wraps around. */
export const stepFrom = (options: readonly Option[], active: Option | undefined, steps: 1 | -1): Option | undefined => {
  const at = active ? options.indexOf(active) : -1;
  return options[(at + steps + options.length) % options.length];
};
