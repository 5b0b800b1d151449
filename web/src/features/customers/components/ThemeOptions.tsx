import { useQuery } from '@tanstack/react-query';
import { builtinThemesQuery, ownedThemesQuery } from '../../themes/index.ts';
import { customerDialogTexts } from '../dialogTexts.ts';

/** The built-in theme that the option 'None' stands for. */
const PLAIN = 'plain';

/** The customer's present theme. */
type Own = { value: string; label: string };

/** The server's maximum page size. */
const MAX_THEMES = 500;

type ThemeOptionsProps = {
  own?: Own | undefined;
  /** Of a new customer, which gets the default theme of its service integrator if none is chosen. */
  isNew?: boolean;
  /** Whose custom themes are offered; empty while no service integrator is chosen. */
  integratorId: string;
};

/** The options of a theme's select: none, the customer's present one, the built-in ones, and its service integrator's active ones. */
export const ThemeOptions = ({ own, isNew = false, integratorId }: ThemeOptionsProps) => {
  const { data } = useQuery(builtinThemesQuery());
  const filter = { serviceIntegratorId: integratorId, active: true, limit: MAX_THEMES } as const;
  const custom = useQuery({ ...ownedThemesQuery(filter), enabled: integratorId !== '' }).data?.themes ?? [];
  const byDefault = isNew ? custom.find(({ isDefault }) => isDefault) : undefined;
  const customs = integratorId === '' ? [] : custom.filter(({ id }) => id !== own?.value);
  const others = data?.themes.filter(({ name, available }) => available && name !== PLAIN && name !== own?.value) ?? [];
  return (
    <>
      <option value="">{byDefault ? customerDialogTexts.defaultTheme(byDefault.displayName) : customerDialogTexts.noTheme}</option>
      {own && <option value={own.value}>{own.label}</option>}
      <optgroup label={customerDialogTexts.builtinThemes}>
        {others.map(({ name, displayName }) => (
          <option key={name} value={name}>
            {displayName}
          </option>
        ))}
      </optgroup>
      {customs.length > 0 && (
        <optgroup label={customerDialogTexts.customThemes}>
          {customs.map(({ id, displayName }) => (
            <option key={id} value={id}>
              {displayName}
            </option>
          ))}
        </optgroup>
      )}
    </>
  );
};
