import { parseArgs } from 'node:util';

/** Parses `--name value` arguments, all numbers, with the given defaults. Exits with 2 for any other argument. */
export const settings = <Name extends string>(defaults: Readonly<Record<Name, number>>): Record<Name, number> => {
  const names = Object.keys(defaults) as Name[];
  const refuse = (reason: string): never => {
    console.error(`${reason}. Settings and their defaults: ${names.map((name) => `--${name} ${defaults[name]}`).join(' ')}`);
    process.exit(2);
  };
  const given = (): Record<string, unknown> => {
    try {
      return parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])) }).values;
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error));
    }
  };
  const values = given();
  const chosen = names.map((name): [Name, number] => {
    const value = Number(values[name] ?? defaults[name]);
    return [name, Number.isFinite(value) ? value : refuse(`--${name} takes a number`)];
  });
  return Object.fromEntries(chosen) as Record<Name, number>;
};
