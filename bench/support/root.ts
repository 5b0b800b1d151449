import { fileURLToPath } from 'node:url';

/** The root of the package. Benchmarks are compiled to `dist/bench/bench/`. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
