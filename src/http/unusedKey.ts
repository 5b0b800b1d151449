/** A collision of two keys of 45 random bits is not expected; of this many in a row, a broken generator is. */
const ATTEMPTS = 5;

/** A new key that nobody has; `holderOf` finds who has one. Throws when the generator is broken. */
export const unusedKey = async (newKey: () => string, holderOf: (key: string) => Promise<object | null>): Promise<string> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const key = newKey();
    if (!(await holderOf(key))) return key;
  }
  throw new Error(`${ATTEMPTS} new keys in a row were taken`);
};
