import { areaOf } from '../areas.ts';
import { createListeners } from '../lib/listeners.ts';

export type ToastType = 'success' | 'error' | 'info';
/** An action in a toast, such as Undo, or Open for what was created. */
export type ToastAction = Readonly<{ label: string; run: () => void }>;
export type Toast = Readonly<{ id: number; type: ToastType; text: string; durationMs: number; action?: ToastAction }>;

const MAX_TOASTS = 20;

/** How long a toast stays, in ms; different in the integrators' area. */
const durations = {
  integrator: { success: 3000, error: 5000, info: 4000 },
  others: { success: 2000, error: 4000, info: 4000 },
} as const satisfies Record<string, Record<ToastType, number>>;

/** Enough time to reach the action; it stops while the toasts are hovered or focused. */
const ACTION_MS = 10_000;

const durationOf = (type: ToastType): number =>
  durations[areaOf(location.pathname) === 'integrator' ? 'integrator' : 'others'][type];

let toasts: readonly Toast[] = [];
let lastId = 0;
const changes = createListeners();

const become = (next: readonly Toast[]): void => {
  toasts = next;
  changes.notify();
};

const show = (type: ToastType, text: string, action?: ToastAction): void => {
  lastId += 1;
  const toast = { id: lastId, type, text, durationMs: action ? ACTION_MS : durationOf(type), ...(action && { action }) };
  become([toast, ...toasts].slice(0, MAX_TOASTS));
};

/** Shows a toast at the top right; the oldest is removed when there are too many. */
export const notify = {
  success: (text: string, action?: ToastAction): void => show('success', text, action),
  error: (text: string): void => show('error', text),
  info: (text: string): void => show('info', text),
} as const;

/** The toasts that are shown, newest first. Only for `ToastList`. */
export const toastStore = {
  subscribe: changes.add,
  current: (): readonly Toast[] => toasts,
  remove: (id: number): void => become(toasts.filter((toast) => toast.id !== id)),
} as const;
