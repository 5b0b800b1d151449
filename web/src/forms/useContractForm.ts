import { useState } from 'react';
import { type DefaultValues, type FieldErrors, type FieldValues, type Path, type Resolver, useForm } from 'react-hook-form';
import { type ZodType, z } from 'zod';
import { isApiError, messageOf } from '../api/error.ts';

// The content security policy forbids the code that zod would generate.
z.config({ jitless: true });

type Options<Values extends FieldValues, Body> = {
  /** The contract that the server checks too. */
  schema: ZodType<Body>;
  defaults: DefaultValues<Values>;
  /** What is typed, as the body of the request. */
  toBody: (values: Values) => unknown;
  /** Names of the fields, for 'Name is required'. */
  labels: Readonly<Record<string, string>>;
};

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

const resolve =
  <Values extends FieldValues, Body>({ schema, toBody, labels }: Options<Values, Body>): Resolver<Values, unknown, Body> =>
  (values) => {
    const parsed = schema.safeParse(toBody(values));
    if (parsed.success) return { values: parsed.data, errors: {} };
    const errors: Record<string, { type: string; message: string }> = {};
    for (const issue of parsed.error.issues) {
      const field = String(issue.path[0] ?? 'root');
      const message = isBlank(values[field]) ? `${labels[field] ?? 'This'} is required` : issue.message;
      errors[field] ??= { type: issue.code ?? 'invalid', message };
    }
    return { values: {}, errors: errors as FieldErrors<Values> };
  };

/**
 * A form that is checked by the server's own contract. `refuse` shows what the server said: its issues at their
 * fields, the rest as `banner`. `refuseFields` shows only the former, and says whether that was all. `takeOver` shows newer
 * values in the fields that nobody has typed in; what was typed stays.
 */
export const useContractForm = <Values extends FieldValues, Body>(options: Options<Values, Body>) => {
  const form = useForm<Values, unknown, Body>({ defaultValues: options.defaults, resolver: resolve(options) });
  const [banner, setBanner] = useState<string>();
  const refuseFields = (error: unknown): boolean => {
    const issues = isApiError(error) ? error.issues : [];
    const known = issues.filter(({ path }) => path in options.labels);
    for (const { path, message } of known) form.setError(path as Path<Values>, { message });
    return known.length > 0 && known.length === issues.length;
  };
  const refuse = (error: unknown, fallback: string): void =>
    setBanner(refuseFields(error) ? undefined : messageOf(error, fallback));
  const takeOver = (newest: Partial<Values>, before: Partial<Values>): void => {
    const typed = form.getValues();
    for (const [name, value] of Object.entries(newest)) {
      if (typed[name] === before[name]) form.setValue(name as Path<Values>, value);
    }
  };
  return { ...form, banner, refuse, refuseFields, takeOver, clearBanner: () => setBanner(undefined) };
};
