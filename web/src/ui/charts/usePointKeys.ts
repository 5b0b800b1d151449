import { type KeyboardEvent, useRef } from 'react';

/** What a point has on the axis: a day, or a time in ms. */
export type Label = string | number;

/**
 * Ends the hover of the chart below the pointer: its point would be shown in place of the one that the keys choose, here and in charts of
 * the same group. It is hovered again when the pointer moves.
 */
const endHover = (): void => {
  const chart = document.querySelector('.recharts-wrapper:hover');
  chart?.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: chart.parentElement }));
};

/** Arrow keys choose a point in place of the pointer. Enter opens the point whose tooltip is shown, which it would otherwise only hide. */
export const usePointKeys = (onPoint: ((label: Label) => void) | undefined) => {
  const shown = useRef<Label | null>(null);
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') endHover();
    if (event.key !== 'Enter' || shown.current === null || !onPoint) return;
    event.stopPropagation();
    onPoint(shown.current);
  };
  return {
    /** Notes which point the tooltip shows. */
    show: ({ active, label }: { active?: boolean | undefined; label?: unknown }): void => {
      shown.current = active && (typeof label === 'string' || typeof label === 'number') ? label : null;
    },
    listeners: { onKeyDownCapture },
  };
};
