import { type KeyboardEvent, useRef } from 'react';

/** What a point has on the axis: a day, or a time in ms. */
export type Label = string | number;

/** Opens the point whose tooltip is shown with Enter, which would otherwise only hide the tooltip. */
export const useEnter = (onPoint: ((label: Label) => void) | undefined) => {
  const shown = useRef<Label | null>(null);
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || shown.current === null || !onPoint) return;
    event.stopPropagation();
    onPoint(shown.current);
  };
  return {
    /** Notes which point the tooltip shows. */
    show: ({ active, label }: { active?: boolean | undefined; label?: unknown }): void => {
      shown.current = active && (typeof label === 'string' || typeof label === 'number') ? label : null;
    },
    listeners: onPoint ? { onKeyDownCapture } : {},
  };
};
