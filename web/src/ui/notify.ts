import { areaOf } from '../areas.ts';

export type ToastType = 'success' | 'error' | 'info';
/** What can be done about the news of a toast, such as undoing it. */
export type ToastAction = Readonly<{ label: string; run: () => void }>;
export type Toast = Readonly<{ id: number; type: ToastType; text: string; durationMs: number; action?: ToastAction }>;

const MAX_TOASTS = 20;

/** How long a toast stays, in ms. The integrators' part has a pace of its own. */
const durations = {
  integrator: { success: 3000, error: 5000, info: 4000 },
  others: { success: 2000, error: 4000, info: 4000 },
} as const satisfies Record<string, Record<ToastType, number>>;

/** Enough time to reach the action; it does not pass while the toasts are hovered or focused. */
const ACTION_MS = 10_000;

const durationOf = (type: ToastType): number =>
  durations[areaOf(location.pathname) === 'integrator' ? 'integrator' : 'others'][type];

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

const become = (next: readonly Toast[]): void => {
  toasts = next;
  for (const listener of listeners) listener();
};

const show = (type: ToastType, text: string, action?: ToastAction): void => {
  lastId += 1;
  const toast = { id: lastId, type, text, durationMs: action ? ACTION_MS : durationOf(type), ...(action && { action }) };
  become([toast, ...toasts].slice(0, MAX_TOASTS));
};

/** Short news at the top right; the oldest goes when there are too many. */
export const notify = {
  success: (text: string, action?: ToastAction): void => show('success', text, action),
  error: (text: string): void => show('error', text),
  info: (text: string): void => show('info', text),
} as const;

/** What is shown now, newest first. For the toasts' host alone. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  current: (): readonly Toast[] => toasts,
  remove: (id: number): void => become(toasts.filter((toast) => toast.id !== id)),
} as const;
