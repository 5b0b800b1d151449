/** Normalizes a name or an email address for comparison without case. */
export const caseless = (text: string): string => text.normalize('NFKC').toLowerCase();
