import { Button, type ButtonProps, Spinner } from '@chakra-ui/react';
import type { MouseEvent, Ref } from 'react';

type BusyButtonProps = ButtonProps & { isBusy: boolean; busyLabel?: string; ref?: Ref<HTMLButtonElement> };

/**
 * A button that shows a pending action. It is not disabled while the action runs, because it would lose the focus. The second
 * click of a double click does nothing: the button may have another meaning by then.
 */
export const BusyButton = ({ isBusy, busyLabel, onClick, children, ...button }: BusyButtonProps) => (
  <Button
    {...button}
    {...(isBusy && { 'aria-busy': true, 'aria-disabled': true })}
    onClick={(event: MouseEvent<HTMLButtonElement>) => (isBusy || event.detail > 1 ? event.preventDefault() : onClick?.(event))}
  >
    {isBusy && busyLabel ? (
      <>
        <Spinner size="inherit" borderWidth="0.125em" color="inherit" aria-hidden />
        {busyLabel}
      </>
    ) : (
      children
    )}
  </Button>
);
