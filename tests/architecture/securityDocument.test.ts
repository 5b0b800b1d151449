import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const text = readFileSync(new URL('docs/security.md', root), 'utf8');

/** Requirements of OWASP ASVS 5.0 in levels 1 and 2. */
const REQUIREMENTS = 253;

describe('docs/security.md', () => {
  it('answers every requirement once', () => {
    const numbers = [...text.matchAll(/^- \*\*([\d., \n]+)\*\*/gm)].flatMap(([, list]) => list?.split(/,\s+/) ?? []);
    expect(numbers.filter((number) => !/^\d+\.\d+\.\d+$/.test(number))).toEqual([]);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers).toHaveLength(REQUIREMENTS);
  });

  it('names tests that exist', () => {
    const named = [...text.matchAll(/`(tests\/[^`]+)`/g)].map(([, file]) => file ?? '');
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((file) => !existsSync(fileURLToPath(new URL(file, root))))).toEqual([]);
  });
});
