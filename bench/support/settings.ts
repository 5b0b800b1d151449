import { parseArgs } from 'node:util';

type Values<Defaults> = { [Name in keyof Defaults]: Defaults[Name] extends number ? number : string };

/** Parses `--name value` arguments with the given defaults, which are numbers or texts. Exits with 2 for any other argument. */
export const settings = <Defaults extends Readonly<Record<string, number | string>>>(defaults: Defaults): Values<Defaults> => {
  const names = Object.keys(defaults);
  const refuse = (reason: string): never => {
    const usage = names.map((name) => `--${name} ${defaults[name] === '' ? "''" : defaults[name]}`).join(' ');
    console.error(`${reason}. Settings and their defaults: ${usage}`);
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
  const chosen = names.map((name): [string, number | string] => {
    const text = values[name] ?? defaults[name];
    if (typeof defaults[name] === 'string') return [name, String(text)];
    const value = Number(text);
    return [name, Number.isFinite(value) ? value : refuse(`--${name} takes a number`)];
  });
  return Object.fromEntries(chosen) as Values<Defaults>;
};
