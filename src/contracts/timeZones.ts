/** Whether there is a time zone of that name, such as Europe/Berlin. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat(undefined, { timeZone: name });
    return true;
  } catch {
    return false;
  }
};
