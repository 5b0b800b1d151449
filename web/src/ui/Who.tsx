import './rows.css';
import type { ReactNode } from 'react';
import type { Tone } from './badges.tsx';
import { Link } from './Link.tsx';

const HUES = ['brand', 'violet', 'cyan', 'green', 'amber', 'red'] as const satisfies Tone[];

const hueOf = (name: string): Tone => {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return HUES[hash % HUES.length] ?? 'brand';
};

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase();

/** Initials in a color that depends on the name. Hidden from screen readers, since the name is beside it. */
export const Monogram = ({ name }: { name: string }) => (
  <div className={`monogram tone-${hueOf(name)}`} aria-hidden>
    {initialsOf(name)}
  </div>
);

type WhoProps = { name: string; detail: string; to?: string; right?: ReactNode };

/** A person or company in a row: monogram, name, and a line of detail. `to` makes the name a link. */
export const Who = ({ name, detail, to, right }: WhoProps) => (
  <div className="who">
    <Monogram name={name} />
    <div className="who-texts">
      {to ? (
        <Link to={to} className="who-name" title={name}>
          {name}
        </Link>
      ) : (
        <span className="who-name" title={name}>
          {name}
        </span>
      )}
      <span className="who-detail" title={detail}>
        {detail}
      </span>
    </div>
    {right}
  </div>
);
