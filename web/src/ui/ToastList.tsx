import './toasts.css';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { CircleAlert, CircleCheck, Info, X } from './icons.ts';
import { type Toast, type ToastType, toastStore } from './notify.ts';

const icons = { success: CircleCheck, error: CircleAlert, info: Info } as const satisfies Record<ToastType, unknown>;

/** Counts a toast's time down while nobody reads it; calls back once, at its end. */
const useCountdown = (durationMs: number, isPaused: boolean, onEnd: () => void): void => {
  const left = useRef(durationMs);
  useEffect(() => {
    if (isPaused) return;
    const startedAt = performance.now();
    const timer = window.setTimeout(onEnd, left.current);
    return () => {
      window.clearTimeout(timer);
      left.current -= performance.now() - startedAt;
    };
  }, [isPaused, onEnd]);
};

const ToastItem = ({ toast, isPaused }: { toast: Toast; isPaused: boolean }) => {
  const [isLeaving, setLeaving] = useState(false);
  const leave = useCallback(() => setLeaving(true), []);
  useCountdown(toast.durationMs, isPaused, leave);
  const Icon = icons[toast.type];
  return (
    <li
      className={`toast toast-${toast.type}${isLeaving ? ' toast-leaving' : ''}`}
      role={toast.type === 'error' ? 'alert' : undefined}
      data-toast={toast.type}
      onAnimationEnd={() => isLeaving && toastStore.remove(toast.id)}
    >
      <Icon size={18} aria-hidden />
      <span>{toast.text}</span>
      <button type="button" aria-label="Dismiss" onClick={leave}>
        <X size={14} aria-hidden />
      </button>
    </li>
  );
};

const isPageHidden = (): boolean => document.hidden;
const onVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/** The toasts of the moment, newest first. They wait while somebody reads them. */
export const ToastList = () => {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.current);
  const isHidden = useSyncExternalStore(onVisibility, isPageHidden);
  const [isRead, setRead] = useState(false);
  const isEmpty = toasts.length === 0;
  // What was read may go from below the pointer, which tells nobody.
  useEffect(() => {
    if (isEmpty) setRead(false);
  }, [isEmpty]);
  return (
    <ol
      onPointerEnter={() => setRead(true)}
      onPointerLeave={() => setRead(false)}
      onFocus={() => setRead(true)}
      onBlur={() => setRead(false)}
    >
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} isPaused={isRead || isHidden} />
      ))}
    </ol>
  );
};
