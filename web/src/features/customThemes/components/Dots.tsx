import type { CustomTheme } from '../../../../../src/contracts/themes.ts';

type DotsProps = { colors: Pick<CustomTheme['themeConfig']['colors'], 'primary' | 'secondary' | 'accent'> };

/** A theme's three colours, for the eye only. */
export const Dots = ({ colors: { primary, secondary, accent } }: DotsProps) => (
  <span className="dots" aria-hidden>
    <i style={{ background: primary }} />
    <i style={{ background: secondary }} />
    <i style={{ background: accent }} />
  </span>
);
