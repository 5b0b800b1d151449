import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { isHistoryType } from '../../src/projections/history/sentences.ts';
import { typeLabels } from '../../web/src/features/history/texts.ts';
import { everyEvent } from '../support/builders/everyEvent.ts';
import { root } from './modules.ts';

/** What visible text must not contain, and what to write in its place. */
const FORBIDDEN: readonly (readonly [pattern: RegExp, write: string])[] = [
  [/\be-mails?\b/i, 'email'],
  [/\blicen[c]e[sd]?\b/i, 'license'],
  [/\b(colour|recognis|organis|authoris|behaviour)/i, 'the American spelling'],
  [/\b(tells?|told|untold)\b/i, 'notify, report or show'],
  [/\b(hears?|heard)\b/i, 'receive or notify'],
  [/\bmeanwhile\b/i, 'until then, or leave it out'],
  [/\bat once\b/i, 'immediately, or at the same time'],
  [/\bhand(s|ed)? (it |them )?on\b/i, 'send or pass'],
  [/\b(somebody|whoever)\b/i, 'user, caller, owner or someone'],
  [/\b(greeter|doorway|courier|errand)\b/i, 'the standard term'],
  [/\b(mend(s|ed)?|anew|by itself|by hand)\b/i, 'fix, again, automatically, manually'],
  [/\b(out of reach|turned away|held back|broken off)\b/i, 'unreachable, rejected, stalled, interrupted'],
  [/\b(has|have) to be\b/i, 'must be'],
  [/\bfolders?\b/i, 'directory'],
  [/\b(are|is|stay|calls?) spooled\b/i, 'queued'],
  [/[‘’“”]/, 'straight quotes'],
];

type Node = { type?: string; value?: unknown; [key: string]: unknown };

/** Of a module, the texts that may be shown: literals with a space in them, templates and JSX text, without SQL. */
const textsOf = (path: string): string[] => {
  const texts: string[] = [];
  const visit = (node: unknown, isKey = false): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, isKey);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const { type, ...rest } = node as Node;
    if (type === 'ImportDeclaration' || type?.startsWith('TS') === true) {
      if (type === 'TSAsExpression' || type === 'TSSatisfiesExpression' || type === 'TSNonNullExpression') visit(rest.expression);
      return;
    }
    if (type === 'TaggedTemplateExpression') return;
    if ((type === 'Literal' && !isKey) || type === 'JSXText') {
      if (typeof rest.value === 'string') texts.push(rest.value);
      return;
    }
    if (type === 'TemplateLiteral') {
      texts.push((rest.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…'));
      visit(rest.expressions);
      return;
    }
    for (const [key, child] of Object.entries(rest)) visit(child, key === 'key');
  };
  visit(parseSync(path, readFileSync(join(root, path), 'utf8')).program.body);
  return texts.filter(
    (text) =>
      /\S\s+\S/.test(text) &&
      !/^\s*(select|insert|update|delete|with|create|alter|set|do)\b[\s\S]*\b(from|into|table|set|as|begin)\b/.test(text),
  );
};

const MODULES = ['src', 'web/src'].flatMap((directory) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(directory, name)),
);

/** Titles and labels in title case, as the specification or a name gives them. Everything else is in sentence case. */
const TITLE_CASE: ReadonlySet<string> = new Set([
  'Service Integrators',
  'Service Integrator',
  'White-Label Enabled',
  'Account Settings',
  'Company Name',
  'Contact Email',
  'Billing Email',
  'Master License Key',
  'Account Status',
  'Account Created',
  'Admin Key',
  'Custom Themes',
  'Theme Name',
  'Display Name',
  'Assign Theme',
  'Assign Custom Theme',
  'Total Customers',
  'Active Customers',
  'Total API Calls',
  'Developer Seats',
  'Stakeholder Seats',
  'Customer Name',
  'Create Customer',
  'Create New Customer',
  'Edit Customer',
  'License Tier',
  'Active Connections',
  'License Key',
  'Company Information',
  'Customer Login',
  'Service Integrator Login',
  'Administrator Access',
  'White-Label Settings',
  'Enable White-Label',
  'Custom Domain',
  'DNS Setup',
  'Azure DevOps',
  'OpenID Connect',
  'Remove OpenID Connect',
  'Unlink OpenID Connect',
  'Northwind Traders',
  'Contoso Partners',
  'Contoso Night',
]);

/** Documents, without the code in them: that names fields and quotes shells. */
const DOCUMENTS = [
  ...['', 'docs', 'docs/decisions', 'web'].flatMap((directory) =>
    readdirSync(join(root, directory)).flatMap((name) => (name.endsWith('.md') ? [join(directory, name)] : [])),
  ),
  ...readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).flatMap((path) =>
    path.endsWith('README.md') ? [join('src', path)] : [],
  ),
];

/** What the product itself must not show. */
const UNSHOWN: typeof FORBIDDEN = [...FORBIDDEN, [/[\d…] %/, 'a percentage without a space, as in 70%']];

const findings = (path: string, texts: readonly string[], forbidden = FORBIDDEN): string[] =>
  texts.flatMap((text) =>
    forbidden.filter(([pattern]) => pattern.test(text)).map(([, write]) => `${path}: "${text}" (write: ${write})`),
  );

describe('visible texts', () => {
  it('are found in modules of every kind', () => {
    expect(textsOf('web/src/forms/DiscardDialog.tsx')).toContain('Discard changes?');
    expect(textsOf('src/http/routes/customers.ts')).toContain('Update a customer');
    expect(textsOf('src/cli/program.ts')).toContain('use a different profile (LATCHKEY_PROFILE)');
  });

  it('of the product use standard terms and one spelling', () => {
    expect(MODULES.flatMap((path) => findings(path, textsOf(path), UNSHOWN))).toEqual([]);
  });

  it('of the console are in sentence case unless the specification gives them', () => {
    const titles = MODULES.filter((path) => path.startsWith('web')).flatMap(textsOf);
    expect(
      titles.filter((text) => /^[A-Z]\w[\w-]*( [A-Z][A-Z\w-]*)* [A-Z][a-z][\w-]*$/.test(text) && !TITLE_CASE.has(text)),
    ).toEqual([]);
  });

  it('of documents use standard terms and one spelling', () => {
    const found = DOCUMENTS.flatMap((path) => {
      const prose = readFileSync(join(root, path), 'utf8').replaceAll(/```[\s\S]*?```|`[^`]*`|^ {4}.*$/gm, '');
      return findings(path, prose.split('\n'));
    });
    expect(found).toEqual([]);
  });
});

/** Metaphors and vague words for which there are standard terms: glossary of docs/architecture.md. Also as parts of names. */
const METAPHORS =
  /\b(tells?|told|untold|telling|doorways?|couriers?|detours?|errands?|greeters?|lessons?|lanes?|deeds?|whoever|everybody|somebody|anew|hears?|heard|unheard|patience|patient|strangers?)\b/i;

/** What a published format names so: the directory of spools, and a value in stored entries of the history. */
const PUBLISHED: readonly (readonly [path: RegExp, line: RegExp])[] = [
  [/^src\/cli\/recording\/spool\.ts$/, /'lanes'/],
  [/^docs\/(cli|architecture)\.md$/, /\/lanes\/|`lanes`/],
  [/^src\/projections\/history\/(sentences|teamEntries)\.ts$/, /\beverybody\b/],
];

/** The live feed has rooms of Socket.IO, in these modules, documents and tests. */
const WITH_ROOMS =
  /^(src\/live\/|src\/contracts\/(topics\.ts|README)|src\/projections\/(engine\/(announcer|changes|projection)|main\/(feed|rows)|usage\/rows|integrators\/domains)\.ts|tests\/live\/|tests\/projections\/engine\/runner|tests\/web\/manyChanges|bench\/(screens|support\/changesProcess)\.ts|docs\/(architecture|decisions\/0030-.*)\.md)/;

describe('names, comments and documents', () => {
  it('use the standard terms', () => {
    const files = ['src', 'web/src', 'bench', 'tests', 'scripts', 'docs'].flatMap((directory) =>
      readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(tsx?|js|md)$/.test(name) && !name.includes('node_modules'))
        .map((name) => join(directory, name)),
    );
    const found = files
      .filter((path) => path !== 'tests/architecture/texts.test.ts')
      .flatMap((path) =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .flatMap((line, index) => {
            if (PUBLISHED.some(([file, published]) => file.test(path) && published.test(line))) return [];
            const words = line.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
            const isVague = METAPHORS.test(words) || (/\brooms?\b/i.test(words) && !WITH_ROOMS.test(path));
            return isVague ? [`${path}:${index + 1}: ${line.trim()}`] : [];
          }),
      );
    expect(files.length).toBeGreaterThan(1_000);
    expect(found).toEqual([]);
  });
});

describe('lines of documents', () => {
  it('end at 100 characters, except tables and what cannot be broken', () => {
    expect(DOCUMENTS.length).toBeGreaterThan(80);
    const long = DOCUMENTS.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line) => (line.length > 100 && !/^ *\||^ *\S+$/.test(line) ? [`${path}: ${line}`] : [])),
    );
    expect(long).toEqual([]);
  });
});

describe('the types of history entries', () => {
  // The layers keep the console from importing the types of events, so the compiler does not find a missing label.
  it('have labels in the console', () => {
    const types = Object.values(everyEvent).flatMap(Object.keys).filter(isHistoryType);
    expect(types.length).toBeGreaterThan(100);
    expect(types.filter((type) => typeLabels[type] === undefined)).toEqual([]);
  });
});
