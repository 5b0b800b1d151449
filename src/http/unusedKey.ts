/** A collision of two keys of 45 random bits is not expected; of this many in a row, a broken generator is. */
const ATTEMPTS = 5;

/** A new unused key; `ownerOf` finds the owner of a key. Throws if the generator is broken. */
export const unusedKey = async (newKey: () => string, ownerOf: (key: string) => Promise<object | null>): Promise<string> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const key = newKey();
    if (!(await ownerOf(key))) return key;
  }
  throw new Error(`${ATTEMPTS} new keys in a row were taken`);
};
