import { useQuery } from '@tanstack/react-query';
import { builtinThemesQuery } from '../../themes/api/themes.ts';
import { customerDialogTexts } from '../dialogTexts.ts';

/** The look without a theme, which 'None' stands for. */
const PLAIN = 'plain';

/** What a customer already has. */
type Own = { value: string; label: string };

/** The options of a theme's select: none, what the customer has now, and the built-in ones; the first two never wait. */
export const ThemeOptions = ({ own }: { own?: Own | undefined }) => {
  const { data } = useQuery(builtinThemesQuery());
  const others = data?.themes.filter(({ name, available }) => available && name !== PLAIN && name !== own?.value) ?? [];
  return (
    <>
      <option value="">{customerDialogTexts.noTheme}</option>
      {own && <option value={own.value}>{own.label}</option>}
      {others.map(({ name, displayName }) => (
        <option key={name} value={name}>
          {displayName}
        </option>
      ))}
    </>
  );
};
