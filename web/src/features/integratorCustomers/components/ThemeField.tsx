import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { useIntegratorSession } from '../../../session/session.ts';
import { FieldFrame, Input } from '../../../ui/controls.tsx';
import { customThemesQuery } from '../../customThemes/index.ts';
import { builtinThemesQuery } from '../../themes/index.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';

type ThemeFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>;
  name: FieldPath<Values>;
};

/** Maximum number of custom themes suggested for the typed text. */
const SUGGESTED = 50;

/** The name of a theme, typed or chosen from suggestions. Names are in lower case, whatever the display name is. */
export const ThemeField = <Values extends FieldValues, Output>({ control, name }: ThemeFieldProps<Values, Output>) => {
  const { id: owner } = useIntegratorSession();
  const { field, fieldState } = useController({ control, name });
  const builtin = useQuery(builtinThemesQuery()).data?.themes.filter(({ available }) => available) ?? [];
  const search = useDeferredValue(field.value ?? '');
  const own = useQuery(customThemesQuery(owner, { active: true, search, limit: SUGGESTED })).data?.themes ?? [];
  const list = useId();
  return (
    <FieldFrame label={texts.fields.theme} error={fieldState.error?.message} hint={texts.themeHint}>
      <Input
        name={field.name}
        ref={field.ref}
        value={field.value ?? ''}
        onBlur={field.onBlur}
        onChange={(event) => field.onChange(event.target.value.toLowerCase())}
        list={list}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={list}>
        {own.map(({ themeName, displayName }) => (
          <option key={themeName} value={themeName}>
            {displayName}
          </option>
        ))}
        {builtin.map(({ name: themeName, displayName }) => (
          <option key={themeName} value={themeName}>
            {displayName}
          </option>
        ))}
      </datalist>
    </FieldFrame>
  );
};
