/** Names that exist, since finding one out takes longer than the rest of a request's checks. */
const known = new Set<string>();
const MAX_KNOWN = 100;

/** Whether there is a time zone of that name, such as Europe/Berlin. */
export const isTimeZone = (name: string): boolean => {
  if (known.has(name)) return true;
  try {
    new Intl.DateTimeFormat(undefined, { timeZone: name });
    if (known.size >= MAX_KNOWN) known.clear();
    known.add(name);
    return true;
  } catch {
    return false;
  }
};
