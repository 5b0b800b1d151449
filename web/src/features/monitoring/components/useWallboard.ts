import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * The wallboard is laid out on a page of this width, and scaled to the screen: type and charts have the same proportions at 1920 px and
 * at 4K. `lines` are the most failures below the figures, `besideCharts` is the height of a page without failures and the plots of its two
 * charts.
 */
export const WALLBOARD = {
  width: 1280,
  pages: 3,
  everyMs: 15_000,
  lines: 4,
  linesBelowCharts: 2,
  aboveLines: 20,
  lineHeight: 42,
  besideCharts: 324,
} as const;

const sizeOf = () => {
  const scale = window.innerWidth / WALLBOARD.width;
  return { scale, height: window.innerHeight / scale };
};

const toggleFullScreen = (element: HTMLElement | null): void => {
  if (document.fullscreenElement) void document.exitFullscreen();
  else element?.requestFullscreen().catch(() => undefined); // some browsers permit it after a key press only
};

/** Takes everything beside an element out of the reach of keys and screen readers. The result undoes that. */
const coverOthers = (element: HTMLElement): (() => void) => {
  const covered: HTMLElement[] = [];
  for (let inner = element; inner.parentElement; inner = inner.parentElement) {
    if (inner === document.body) break;
    for (const other of inner.parentElement.children) {
      if (other !== inner && other instanceof HTMLElement && !other.inert) covered.push(other);
    }
  }
  for (const other of covered) other.inert = true;
  return () => {
    for (const other of covered) other.inert = false;
  };
};

export type Board = Readonly<{
  ref: RefObject<HTMLDivElement | null>;
  /** From 0 on. */
  page: number;
  scale: number;
  height: number;
}>;

/** The page that is shown, by time and by keys, and the size of the screen. `leave` is called with Escape, outside full screen. */
export const useWallboard = (leave: () => void): Board => {
  const ref = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState(0);
  const [size, setSize] = useState(sizeOf);
  const latest = useRef(leave);
  latest.current = leave;

  useEffect(() => {
    const measure = () => setSize(sizeOf());
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);

  // Each change of the page restarts the time.
  useEffect(() => {
    const timer = window.setTimeout(() => setPage((page + 1) % WALLBOARD.pages), WALLBOARD.everyMs);
    return () => window.clearTimeout(timer);
  }, [page]);

  useEffect(() => {
    const element = ref.current;
    const uncover = element ? coverOthers(element) : () => undefined;
    element?.focus();
    const turn = (by: number) => setPage((current) => (current + by + WALLBOARD.pages) % WALLBOARD.pages);
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'ArrowRight') turn(1);
      else if (event.key === 'ArrowLeft') turn(-1);
      else if (event.key === 'f') toggleFullScreen(element);
      else if (event.key === 'Escape' && !document.fullscreenElement) latest.current();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      uncover();
      window.removeEventListener('keydown', onKey);
      if (document.fullscreenElement) void document.exitFullscreen();
    };
  }, []);

  return { ref, page, ...size };
};
