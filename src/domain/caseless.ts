/** What two spellings of one name or email address have in common, whatever their case. */
export const caseless = (text: string): string => text.normalize('NFKC').toLowerCase();
