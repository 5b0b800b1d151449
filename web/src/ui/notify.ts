import { areaOf } from '../app/areas.ts';

export type ToastType = 'success' | 'error' | 'info';

/** How long a toast stays, in ms. The integrators' part reads at its own pace. */
const durations = {
  integrator: { success: 3000, error: 5000, info: 4000 },
  others: { success: 2000, error: 4000, info: 4000 },
} as const satisfies Record<string, Record<ToastType, number>>;

const durationOf = (type: ToastType): number =>
  durations[areaOf(location.pathname) === 'integrator' ? 'integrator' : 'others'][type];

const waiting = new Set<() => void>();
let toaster: Promise<typeof import('./toaster.ts')> | undefined;

/** Calls back once the toasts' host is needed. */
export const onToasterNeeded = (listener: () => void): (() => void) => {
  waiting.add(listener);
  if (toaster) listener();
  return () => void waiting.delete(listener);
};

/** The toasts' machine, 12 kB, comes when the page is idle or with the first toast. */
export const loadToaster = (): Promise<typeof import('./toaster.ts')> => {
  toaster ??= import('./toaster.ts');
  for (const listener of waiting) listener();
  return toaster;
};

const show = async (type: ToastType, title: string): Promise<void> => {
  const duration = durationOf(type);
  const loaded = await loadToaster();
  loaded.toaster.create({ type, title, duration, closable: true });
};

/** Short news at the top right. */
export const notify = {
  success: (text: string): void => void show('success', text),
  error: (text: string): void => void show('error', text),
  info: (text: string): void => void show('info', text),
} as const;
