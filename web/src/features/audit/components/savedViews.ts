import { useState } from 'react';
import type { AuditArea } from '../api/audit.ts';

/** Filters under a name, as the search of an address. */
export type SavedView = Readonly<{ name: string; search: string }>;

const MAX_VIEWS = 50;

const keyOf = (area: AuditArea): string => `latchkey.audit.views.${area}`;

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'name') === 'string' &&
  typeof Reflect.get(value, 'search') === 'string';

/** None where the browser keeps nothing, or something else. */
const read = (area: AuditArea): SavedView[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(area)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
};

/** The saved views of an area in this browser, by name. `save` replaces a view of that name; both return false if the browser refuses. */
export const useSavedViews = (area: AuditArea) => {
  const [views, setViews] = useState(() => read(area));
  const write = (next: readonly SavedView[]): boolean => {
    const sorted = [...next].sort((one, other) => one.name.localeCompare(other.name)).slice(0, MAX_VIEWS);
    try {
      localStorage.setItem(keyOf(area), JSON.stringify(sorted));
    } catch {
      return false;
    }
    setViews(sorted);
    return true;
  };
  return {
    views,
    save: (view: SavedView): boolean => write([...read(area).filter(({ name }) => name !== view.name), view]),
    remove: (name: string): boolean => write(read(area).filter((view) => view.name !== name)),
  };
};
