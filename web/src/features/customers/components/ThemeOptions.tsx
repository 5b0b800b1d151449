import { useQuery } from '@tanstack/react-query';
import { builtinThemesQuery } from '../../themes/api/themes.ts';
import { customerTexts } from '../texts.ts';

/** The look without a theme, which 'None' stands for. */
const PLAIN = 'plain';

/** What a customer already has, when it is none of the built-in themes. */
type Own = { value: string; label: string };

/** The options of a theme's select: none, the built-in ones, and what the customer has now. */
export const ThemeOptions = ({ own }: { own?: Own | undefined }) => {
  const { data } = useQuery(builtinThemesQuery());
  const builtin = data?.themes.filter(({ name, available }) => available && name !== PLAIN) ?? [];
  const isOwnListed = own === undefined || builtin.some(({ name }) => name === own.value);
  return (
    <>
      <option value="">{customerTexts.noTheme}</option>
      {!isOwnListed && <option value={own.value}>{own.label}</option>}
      {builtin.map(({ name, displayName }) => (
        <option key={name} value={name}>
          {displayName}
        </option>
      ))}
    </>
  );
};
