const counted = (n: number): string => (n === 1 ? '1 service integrator' : `${n} service integrators`);

/** Texts of what is done with selected service integrators, in a module of their own because the dialogs are loaded on demand. */
export const integratorBulkTexts = {
  suspend: 'Suspend',
  reactivate: 'Reactivate',
  exportCsv: 'Export CSV',
  exportName: (day: string): string => `service-integrators-${day}.csv`,
  suspendTitle: 'Suspend service integrators',
  reactivateTitle: 'Reactivate service integrators',
  suspendCount: (n: number): string => `Suspend ${counted(n)}`,
  reactivateCount: (n: number): string => `Reactivate ${counted(n)}`,
  suspending: 'Suspending…',
  reactivating: 'Reactivating…',
  becomes: 'becomes',
  reason: 'Reason',
  reasonHint: 'Recorded in the history of each service integrator.',
} as const;
