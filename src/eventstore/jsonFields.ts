/** The fields of an object of JSON. */
export type Fields = Record<string, unknown>;

/** Whether a value of JSON is an object. */
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of JSON that is stored as bytes; null if they are not JSON. */
export const parsedOf = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return null;
  }
};
