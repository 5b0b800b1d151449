import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode, SubmitEventHandler } from 'react';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Card, CardHead } from '../ui/Card.tsx';
import { Banner } from '../ui/states.tsx';

type FormCardProps = {
  title: string;
  sub?: ReactNode;
  submitLabel: string;
  busyLabel: string;
  isBusy: boolean;
  isDisabled?: boolean;
  /** What the server refused as a whole. */
  banner?: string | undefined;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  children: ReactNode;
};

/** A form that stands on a screen, with one way to submit it. */
export const FormCard = (props: FormCardProps) => (
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
);
