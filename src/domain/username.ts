/**
 * Invisible characters: zero-width and bidirectional controls, tags, variation selectors, fillers. With them, two users could have
 * names that look the same.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800\ufff9-\ufffb]/u;

/** Whether a text contains invisible characters, with which two names could look the same. */
export const hasHiddenCharacters = (text: string): boolean => HIDDEN.test(text);
