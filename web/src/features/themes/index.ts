export { builtinThemesQuery, ownedThemesQuery } from './api/themes.ts';
export { Swatch, TerminalPreview } from './components/TerminalPreview.tsx';
