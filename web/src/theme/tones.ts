const tone = (colorPalette: string, solid: string) => ({ colorPalette, '--tone-solid': `colors.${solid}` });

/** What a tone's name means for the plain classes of rows: a palette, and the colour of a dot or a bar. */
export const toneStyles = {
  '.tone-brand': tone('brand', 'chart.1'),
  '.tone-violet': tone('violet', 'chart.4'),
  '.tone-cyan': tone('cyan', 'chart.2'),
  '.tone-green': tone('green', 'meter.success'),
  '.tone-amber': tone('amber', 'meter.warning'),
  '.tone-red': tone('red', 'meter.danger'),
  '.tone-gray': tone('gray', 'fg.subtle'),
};
