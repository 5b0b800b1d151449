import './toasts.css';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { CircleAlert, CircleCheck, Info, X } from './icons.ts';
import { type Toast, type ToastType, toastStore } from './notify.ts';

const icons = { success: CircleCheck, error: CircleAlert, info: Info } as const satisfies Record<ToastType, unknown>;
/** The key that moves the focus to the newest toast, and back. */
const FOCUS_KEY = 'F8';

/** Counts down a toast's time while it is not paused; calls back once at the end. */
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

type ToastItemProps = { toast: Toast; isPaused: boolean };

const ToastItem = ({ toast, isPaused }: ToastItemProps) => {
  const [isLeaving, setLeaving] = useState(false);
  const leave = useCallback(() => setLeaving(true), []);
  useCountdown(toast.durationMs, isPaused, leave);
  const Icon = icons[toast.type];
  const { action } = toast;
  const act = (): void => {
    leave();
    action?.run();
  };
  return (
    <li
      className={`toast toast-${toast.type}${isLeaving ? ' toast-leaving' : ''}`}
      role={toast.type === 'error' ? 'alert' : undefined}
      data-toast={toast.type}
      onAnimationEnd={() => isLeaving && toastStore.remove(toast.id)}
    >
      <Icon size={18} aria-hidden />
      <span>{toast.text}</span>
      {action && (
        <button type="button" className="toast-action" onClick={act} disabled={isLeaving}>
          {action.label}
        </button>
      )}
      <button type="button" className="toast-close" aria-label="Dismiss" onClick={leave}>
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

/** F8 moves the focus to the newest toast and back. The focus also moves back when the focused toast is removed. */
const useFocusKey = (list: RefObject<HTMLOListElement | null>, ids: string): void => {
  const before = useRef<HTMLElement>(null);
  const goBack = useCallback((): void => {
    before.current?.focus();
    before.current = null;
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const first = list.current?.querySelector<HTMLElement>('button:enabled');
      if (event.key !== FOCUS_KEY || !first) return;
      event.preventDefault();
      if (list.current?.contains(document.activeElement)) {
        goBack();
        return;
      }
      before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
      first.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [list, goBack]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a toast was removed, with or without the focus
  useEffect(() => {
    if (document.activeElement === document.body) goBack();
  }, [ids]);
};

/** The top of the toasts below the header, in px, and their distance from the buttons above them. */
const TOP = 68;
const GAP = 12;
/** Buttons further down are not near the toasts. */
const NEAR = 400;

/**
 * Keeps the toasts below the buttons of the screen's head and of an open drawer, so that they do not cover the main action. No event
 * reports that a screen was opened or that its head moved, so it looks before each paint, as long as there are toasts.
 */
const useClearOfActions = (list: RefObject<HTMLOListElement | null>, isEmpty: boolean): void => {
  useLayoutEffect(() => {
    const region = list.current?.parentElement;
    if (isEmpty || !region) return;
    let frame = 0;
    const place = (): void => {
      const { left, height } = region.getBoundingClientRect();
      let free = TOP;
      for (const actions of document.querySelectorAll('[data-page-actions]')) {
        const { top, right, bottom } = actions.getBoundingClientRect();
        if (right > left && top < Math.min(free + height, NEAR) && bottom > free) free = bottom + GAP;
      }
      region.style.top = `${free}px`;
      frame = requestAnimationFrame(place);
    };
    place();
    return () => cancelAnimationFrame(frame);
  }, [list, isEmpty]);
};

/**
 * The current toasts, newest first: the newest in full and the others behind it, so that they cover little of the screen. While
 * they are hovered or focused, all are shown and their time stops. The time of an error, or of a toast with an action, also stops
 * while another toast covers it.
 */
export const ToastList = () => {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.current);
  const isHidden = useSyncExternalStore(onVisibility, isPageHidden);
  const [isRead, setRead] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const isEmpty = toasts.length === 0;
  useClearOfActions(list, isEmpty);
  useFocusKey(list, toasts.map(({ id }) => id).join());
  // A toast that is removed below the pointer sends no event.
  useEffect(() => {
    if (isEmpty) setRead(false);
  }, [isEmpty]);
  return (
    <ol
      ref={list}
      className={isRead ? 'toasts-open' : undefined}
      onPointerEnter={() => setRead(true)}
      onPointerLeave={() => setRead(false)}
      onFocus={() => setRead(true)}
      onBlur={() => setRead(false)}
    >
      {toasts.map((toast, behind) => (
        <ToastItem
          key={toast.id}
          toast={toast}
          isPaused={isRead || isHidden || (behind > 0 && (toast.type === 'error' || toast.action !== undefined))}
        />
      ))}
    </ol>
  );
};
