import { fileURLToPath } from 'node:url';

/** The root of the package; a benchmark is compiled to `dist/bench/bench/`. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
