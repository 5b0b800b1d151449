import { useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  get,
  type Path,
  type Resolver,
  set,
  useForm,
} from 'react-hook-form';
import type { ZodType } from 'zod';
import { isUuid } from '../../../src/domain/ids.ts';
import { causeOf, isApiError } from '../api/error.ts';
import { conflictMessage } from './useVersion.ts';

type Options<Values extends FieldValues, Body> = {
  /** The contract that the server validates too. */
  schema: ZodType<Body>;
  defaults: DefaultValues<Values>;
  /** Makes the body of the request from the values of the fields. */
  toBody: (values: Values) => unknown;
  /** Names of the fields, for 'Name is required'. */
  labels: Readonly<Record<string, string>>;
};

/** The field that a path names: the innermost part that has a label, such as the days of grace in a term. */
const fieldIn = (path: readonly string[], labels: Readonly<Record<string, string>>): string | undefined =>
  path.findLast((part) => part in labels);

/** Whether the value of a field is a list of rows, each with fields of its own. */
const isRows = (value: unknown): value is readonly Record<string, unknown>[] => Array.isArray(value);

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** The present value of a field, in the message of a conflict. */
const shownValue = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const text = String(value ?? '');
  if (text === '') return 'empty';
  return isUuid(text) ? 'another one' : `"${text}"`;
};

const resolve =
  <Values extends FieldValues, Body>({ schema, toBody, labels }: Options<Values, Body>): Resolver<Values, unknown, Body> =>
  (values) => {
    const parsed = schema.safeParse(toBody(values));
    if (parsed.success) return { values: parsed.data, errors: {} };
    const errors: Record<string, { type: string; message: string }> = {};
    for (const issue of parsed.error.issues) {
      const path = issue.path.map(String);
      const [first = 'root', index, part] = path;
      const type = issue.code ?? 'invalid';
      if (isRows(values[first]) && index !== undefined && part !== undefined) {
        const name = `${first}.${index}.${part}`;
        const message = isBlank(values[first][Number(index)]?.[part]) ? 'Required' : issue.message;
        if (!get(errors, name)) set(errors, name, { type, message });
        continue;
      }
      const field = fieldIn(path, labels) ?? first;
      const message = isBlank(values[field]) ? `${labels[field] ?? 'This'} is required` : issue.message;
      errors[field] ??= { type, message };
    }
    return { values: {}, errors: errors as FieldErrors<Values> };
  };

/**
 * A form that is validated by the server's own contract. `refuse` shows a rejection: its issues at their fields, the rest as
 * `banner`. `refuseFields` shows only the issues and returns whether that was all. `takeOver` shows newer values in the
 * fields that the user has not edited.
 */
export const useContractForm = <Values extends FieldValues, Body>(options: Options<Values, Body>) => {
  const form = useForm<Values, unknown, Body>({ defaultValues: options.defaults, resolver: resolve(options) });
  const [banner, setBanner] = useState<string>();
  const conflicts = useRef<string[]>([]);
  const refuseFields = (error: unknown): boolean => {
    const issues = isApiError(error) ? error.issues : [];
    const fieldOf = (path: string): string | undefined => {
      const parts = path.split('.');
      return isRows(form.getValues()[parts[0] ?? '']) && parts.length > 2 ? path : fieldIn(parts, options.labels);
    };
    const known = issues.filter(({ path }) => fieldOf(path) !== undefined);
    for (const [at, { path, message }] of known.entries())
      form.setError(fieldOf(path) as Path<Values>, { message }, { shouldFocus: at === 0 });
    return known.length > 0 && known.length === issues.length;
  };
  const refuse = (error: unknown, fallback: string): void => setBanner(refuseFields(error) ? undefined : causeOf(error, fallback));
  const takeOver = (newest: Partial<Values>, before: Partial<Values>): void => {
    const typed = form.getValues();
    conflicts.current = [];
    for (const [name, value] of Object.entries(newest)) {
      if (typed[name] === before[name]) form.setValue(name as Path<Values>, value);
      else if (value !== before[name] && value !== typed[name]) {
        conflicts.current.push(`${options.labels[name] ?? name} is now ${shownValue(value)}.`);
      }
    }
  };
  const conflictOf = (subject: string): string => [conflictMessage(subject), ...conflicts.current].join(' ');
  return {
    ...form,
    banner,
    refuse,
    /** Shows that another user changed the same, and what they saved in the fields that were edited here too. */
    refuseConflict: (subject: string) => setBanner(conflictOf(subject)),
    conflictOf,
    refuseFields,
    takeOver,
    clearBanner: () => setBanner(undefined),
  };
};
