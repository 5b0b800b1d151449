import { format } from '../lib/format.ts';

type TimeProps = {
  /** ISO-8601; null if it has not happened. */
  at: string | null;
  as?: 'dateTime' | 'date' | 'ago';
};

/** An instant in the browser's time zone. Its tooltip has the date, the time and the zone. */
export const Time = ({ at, as = 'dateTime' }: TimeProps) =>
  at === null ? (
    format[as](at)
  ) : (
    <time dateTime={at} title={format.zoned(at)}>
      {format[as](at)}
    </time>
  );
