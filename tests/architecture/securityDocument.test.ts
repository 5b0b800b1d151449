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

  it('counts the answers', () => {
    const counted = new Map(['met', 'partly met', 'not met', 'not applicable'].map((answer) => [answer, 0]));
    for (const [, list = '', answer = ''] of text.matchAll(
      /^- \*\*([\d., \n]+)\*\*: (met|partly met|not met|not applicable)\b/gm,
    )) {
      counted.set(answer, (counted.get(answer) ?? 0) + list.split(/,\s+/).length);
    }
    const table = [...text.matchAll(/^\| ([a-z ]+) \| (\d+) \|$/gm)].map(([, answer, count]) => [answer, Number(count)]);
    expect(table).toEqual([...counted]);
  });

  it('names tests that exist', () => {
    const named = [...text.matchAll(/`(tests\/[^`]+)`/g)].map(([, file]) => file ?? '');
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((file) => !existsSync(fileURLToPath(new URL(file, root))))).toEqual([]);
  });
});
