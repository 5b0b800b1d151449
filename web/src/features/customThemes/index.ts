export { customThemeQuery, customThemesQuery } from './api/customThemes.ts';
export { AssignThemeButton } from './components/AssignThemeButton.tsx';
