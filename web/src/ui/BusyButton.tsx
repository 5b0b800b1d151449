import { Button, type ButtonProps, Spinner } from '@chakra-ui/react';
import type { MouseEvent, Ref } from 'react';

type BusyButtonProps = ButtonProps & { isBusy: boolean; busyLabel?: string; ref?: Ref<HTMLButtonElement> };

/**
 * A button that says it is at work. It is not disabled meanwhile, which would take the keyboard away from it. The second click
 * of a double one does nothing: the first may have been answered already, and the button be another one by then.
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
