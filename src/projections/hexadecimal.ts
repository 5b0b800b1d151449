/** Memory of one caller at a time. Fresh memory of a megabyte for each request would bring on full garbage collections. */
let memory = Buffer.alloc(0);
const MOST_KEPT_BYTES = 4_194_304;

/**
 * Decodes texts of hexadecimal digits, as `encode(…, 'hex')` makes them, one after the other. Calls `use` with the bytes and where those
 * of each text end. It must not keep the bytes: the next call uses their memory again.
 */
export const withDecoded = <Result>(texts: readonly string[], use: (bytes: Buffer, ends: readonly number[]) => Result): Result => {
  const size = texts.reduce((sum, text) => sum + text.length / 2, 0);
  const bytes = size <= memory.length ? memory : Buffer.alloc(size);
  if (size <= MOST_KEPT_BYTES) memory = bytes;
  let end = 0;
  const ends = texts.map((text) => {
    end += bytes.write(text, end, 'hex');
    return end;
  });
  return use(bytes, ends);
};
