import { Link } from './Link.tsx';

/** A figure as a link to what it counts; the figure alone where that cannot be listed, or the session may not see it. */
export const LinkedFigure = ({ value, to }: { value: string; to: string | undefined }) =>
  to === undefined ? (
    value
  ) : (
    <Link className="figure-link" to={to}>
      {value}
    </Link>
  );
