import { type RefObject, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSwitchedOn } from '../lib/preferences.ts';
import { isSingleKey, SHORTCUTS } from '../lib/shortcuts.ts';

/** What the rows of a list do. */
type RowActions<Row> = {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The path of the screen that a row opens. */
  open?: ((row: Row) => string) | undefined;
  /** Shows the details of a row that has no screen. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Adds a row to the selection, or removes it. */
  toggle?: ((row: Row) => void) | undefined;
};

/** What has its own meaning for clicks. */
const INTERACTIVE = 'a, button, input, label, select, textarea, summary';
const ROW = '[data-row]';

const rowAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(ROW) : null;

const isOwnClick = (target: EventTarget | null): boolean =>
  !(target instanceof Element && target.closest(INTERACTIVE)) && (window.getSelection()?.toString() ?? '') === '';

/** The row that `j` and `k` move to from the focused one; the first where none is focused. */
const stepFrom = (list: HTMLElement, focused: HTMLElement | null, steps: 1 | -1): HTMLElement | undefined => {
  const rows = [...list.querySelectorAll<HTMLElement>(ROW)];
  const at = focused ? rows.indexOf(focused) : -1;
  return at === -1 ? rows[0] : (rows[at + steps] ?? rows[at]);
};

/**
 * Opens a row by a click on it, or in a new tab by the middle button or with Ctrl or Command. The keys `j` and `k` move the focus from row to
 * row, `Enter` opens the focused row and `x` selects it. Rows have the attribute `data-row` with their key and can have the focus.
 */
export const useRowActions = <Row>(list: RefObject<HTMLElement | null>, actions: RowActions<Row>): void => {
  const navigate = useNavigate();
  const [hasShortcuts] = useSwitchedOn(SHORTCUTS);
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const isActive = actions.open !== undefined || actions.onOpen !== undefined || actions.toggle !== undefined;
  useEffect(() => {
    const element = list.current;
    if (!element || !isActive) return;
    const rowOf = (target: EventTarget | null): Row | undefined => {
      const key = rowAt(target)?.dataset.row;
      return latest.current.rows.find((row) => latest.current.keyOf(row) === key);
    };
    const openIn = (target: EventTarget | null, isNewTab: boolean): void => {
      const row = rowOf(target);
      if (row && !isNewTab) latest.current.onOpen?.(row);
      const path = row && latest.current.open?.(row);
      if (path === undefined) return;
      if (isNewTab) window.open(path, '_blank', 'noopener');
      else void navigate(path);
    };
    const onClick = (event: MouseEvent): void => {
      if (!event.defaultPrevented && isOwnClick(event.target)) openIn(event.target, event.ctrlKey || event.metaKey);
    };
    const onMiddle = (event: MouseEvent): void => {
      if (event.button === 1 && isOwnClick(event.target)) openIn(event.target, true);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (!isSingleKey(event)) return;
      const focused = rowAt(document.activeElement);
      if (focused && !element.contains(focused)) return;
      if (event.key === 'j' || event.key === 'k') stepFrom(element, focused, event.key === 'j' ? 1 : -1)?.focus();
      else if (event.key === 'x' && focused && latest.current.toggle) {
        const row = rowOf(focused);
        if (row) latest.current.toggle(row);
      } else if (event.key === 'Enter' && focused === document.activeElement && focused) openIn(focused, false);
      else return;
      event.preventDefault();
    };
    element.addEventListener('click', onClick);
    element.addEventListener('auxclick', onMiddle);
    if (hasShortcuts) window.addEventListener('keydown', onKey);
    return () => {
      element.removeEventListener('click', onClick);
      element.removeEventListener('auxclick', onMiddle);
      window.removeEventListener('keydown', onKey);
    };
  }, [list, isActive, hasShortcuts, navigate]);
};
