import { Button, type ButtonProps, Spinner } from '@chakra-ui/react';
import type { MouseEvent, Ref } from 'react';

type BusyButtonProps = ButtonProps & { isBusy: boolean; busyLabel?: string; ref?: Ref<HTMLButtonElement> };

const stayPut = (event: MouseEvent): void => event.preventDefault();

/** A button that says it is at work. It is not disabled meanwhile, which would take the keyboard away from it. */
export const BusyButton = ({ isBusy, busyLabel, onClick, children, ...button }: BusyButtonProps) => (
  <Button {...button} {...(isBusy && { 'aria-busy': true, 'aria-disabled': true })} onClick={isBusy ? stayPut : onClick}>
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
