import { chakra, Flex } from '@chakra-ui/react';
import { type ReactNode, type SubmitEventHandler, useRef } from 'react';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Card, CardHead } from '../ui/Card.tsx';
import { lazyDialog, useDialog } from '../ui/dialogs.tsx';
import { Banner } from '../ui/states.tsx';
import { useUnsavedGuard } from './useUnsavedGuard.ts';

const DiscardDialog = lazyDialog(async () => (await import('./DiscardDialog.tsx')).DiscardDialog);

type FormCardProps = {
  title: string;
  sub?: ReactNode;
  submitLabel: string;
  busyLabel: string;
  isBusy: boolean;
  isDisabled?: boolean;
  /** Whether the form holds changes that were not saved. */
  isModified: boolean;
  /** A rejection that belongs to no field. */
  banner?: string | undefined;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  children: ReactNode;
};

/** A form on a screen, with one submit button. Leaving the screen asks before changes are lost. */
export const FormCard = (props: FormCardProps) => {
  const leave = useRef<() => void>(undefined);
  const discard = useDialog();
  useUnsavedGuard(props.isModified, {
    isModified: () => props.isModified,
    ask: (then) => {
      leave.current = then;
      discard.open();
    },
  });
  return (
    <>
      <Card as="section" aria-label={props.title} display="flex" flexDirection="column">
        <CardHead title={props.title} sub={props.sub} />
        <chakra.form noValidate display="flex" flexDirection="column" flex="1" onSubmit={props.onSubmit}>
          <Flex direction="column" gap="4" px={{ base: '4', md: '5' }} pb="5" flex="1">
            {props.banner && <Banner tone="error">{props.banner}</Banner>}
            {props.children}
          </Flex>
          <Flex
            justify="flex-end"
            px={{ base: '4', md: '5' }}
            py="3"
            borderTopWidth="1px"
            borderColor="border.muted"
            bg="bg.subtle"
            css={{ '& > *': { flexGrow: { base: 1, md: 0 } } }}
          >
            <BusyButton
              type="submit"
              colorPalette="brand"
              isBusy={props.isBusy}
              busyLabel={props.busyLabel}
              disabled={props.isDisabled}
            >
              {props.submitLabel}
            </BusyButton>
          </Flex>
        </chakra.form>
      </Card>
      <DiscardDialog dialog={discard} onDiscard={() => leave.current?.()} />
    </>
  );
};
