export const themeTexts = {
  title: 'Themes',
  sub: 'What the command-line tool can look like for a customer.',
  loading: 'Loading themes',
  loadFailed: 'Failed to load themes',
  none: 'No themes available',
  noneHint: 'Built-in themes appear here once the server lists them.',
  available: 'Available',
  unavailable: 'Unavailable',
  colors: { primary: 'Primary', secondary: 'Secondary', accent: 'Accent' },
  preview: { command: 'status', connected: 'Connected', seat: 'Developer seat', calls: '1,204 API calls today' },
} as const;
