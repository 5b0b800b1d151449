import './rows.css';
import type { ReactNode } from 'react';

/** A color by meaning, which the theme defines for light and dark. */
export type Tone = 'brand' | 'violet' | 'cyan' | 'green' | 'amber' | 'red' | 'gray';

const toneOfStatus: Readonly<Record<string, Tone>> = {
  active: 'green',
  connected: 'green',
  healthy: 'green',
  suspended: 'amber',
  warning: 'amber',
  degraded: 'amber',
  expired: 'amber',
  enabled: 'violet',
  chosen: 'brand',
  churned: 'red',
  error: 'red',
  critical: 'red',
};

type StatusBadgeProps = { status: string; isLarge?: boolean; children?: ReactNode };

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A status as a dot and a word, since color alone is not accessible. An unknown status is gray. */
export const StatusBadge = ({ status, isLarge = false, children }: StatusBadgeProps) => (
  <span className={`badge badge-dot tone-${toneOfStatus[status] ?? 'gray'}${isLarge ? ' badge-large' : ''}`}>
    {children ?? capitalized(status)}
  </span>
);

/** A word that is not a status: a role, a service, a theme's name. */
export const Badge = ({ tone = 'gray', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={`badge tone-${tone}`} title={typeof children === 'string' ? children : undefined}>
    {children}
  </span>
);
