type Fields = Readonly<Record<string, unknown>>;

/** Whether a value of a line is an object. */
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object on a line; null if there is none. */
export const fieldsOf = (line: string): Fields | null => {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
};

/** Whether a value of a line is a text. */
export const isText = (value: unknown): value is string => typeof value === 'string';
/** Whether a value of a line is a list of texts. */
export const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);
/** Whether a value of a line counts something. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
