import { Box, Center, Spinner, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { isUnanswered, messageOf } from '../api/error.ts';
import { BusyButton } from './BusyButton.tsx';
import { CircleAlert, type LucideIcon, RefreshCw } from './icons.ts';

type Height = string | Record<string, string>;

type LoadingProps = {
  /** Text of the spinner. */
  label?: string;
  /** The height of the content that will replace this, so that the layout does not shift. */
  height?: Height;
};

/** A spinner with a label. `height` is that of the content to come, so that the layout does not shift. */
export const Loading = ({ label = 'Loading', height = '280px' }: LoadingProps) => (
  <Center minH={height} role="status" data-loading flexDir="column" gap="3">
    <Spinner aria-hidden />
    <Text textStyle="sm" color="fg.subtle">
      {label}
    </Text>
  </Center>
);

type TileProps = { icon: LucideIcon; tone?: 'neutral' | 'error' };

const Tile = ({ icon: Icon, tone = 'neutral' }: TileProps) => (
  <Center
    boxSize="12"
    borderRadius="l3"
    bg={tone === 'error' ? 'bg.error' : 'bg.subtle'}
    borderWidth="1px"
    borderColor={tone === 'error' ? 'red.border' : 'border'}
    color={tone === 'error' ? 'fg.error' : 'fg.subtle'}
    mb="4"
    boxShadow="xs"
  >
    <Icon size={20} strokeWidth={1.75} aria-hidden />
  </Center>
);

type EmptyProps = { icon: LucideIcon; title: string; hint?: string; action?: ReactNode; height?: Height };

/** What a list or panel without entries shows, with an optional hint and action. */
export const Empty = ({ icon, title, hint, action, height = '300px' }: EmptyProps) => (
  <Center minH={height} flexDir="column" textAlign="center" px="6" py="10">
    <Tile icon={icon} />
    <Text textStyle="md" fontWeight="semibold">
      {title}
    </Text>
    {hint && (
      <Text textStyle="sm" color="fg.subtle" mt="1" maxW="40ch">
        {hint}
      </Text>
    )}
    {action && <Box mt="5">{action}</Box>}
  </Center>
);

type ErrorStateProps = {
  error: unknown;
  /** Shown if the error has no text for users. */
  fallback: string;
  onRetry: () => void;
  isRetrying?: boolean;
  height?: Height;
};

/** A failed read with a button that tries again. `fallback` is shown if the error has no text for users. */
export const ErrorState = ({ error, fallback, onRetry, isRetrying = false, height = '300px' }: ErrorStateProps) => (
  <Center minH={height} flexDir="column" textAlign="center" px="6" py="10" role="alert">
    <Tile icon={CircleAlert} tone="error" />
    <Text textStyle="md" fontWeight="semibold">
      {messageOf(error, fallback)}
    </Text>
    {isUnanswered(error) && (
      <Text textStyle="sm" color="fg.subtle" mt="1" maxW="40ch">
        Check your connection, then try again.
      </Text>
    )}
    <BusyButton mt="5" size="sm" variant="outline" onClick={onRetry} isBusy={isRetrying} busyLabel="Trying again…">
      <RefreshCw aria-hidden />
      Try again
    </BusyButton>
  </Center>
);

type BannerProps = { tone: 'error' | 'warning' | 'info'; icon?: LucideIcon; children: ReactNode; action?: ReactNode };

/** A line across a card, a form or a page. Screen readers announce an error immediately, the others later. */
export const Banner = ({ tone, icon: Icon = CircleAlert, children, action }: BannerProps) => (
  <Box
    role={tone === 'error' ? 'alert' : 'status'}
    display="flex"
    alignItems={action ? 'center' : 'flex-start'}
    gap="2.5"
    px="3.5"
    py="2.5"
    borderRadius="l2"
    borderWidth="1px"
    bg={`bg.${tone}`}
    borderColor={tone === 'error' ? 'red.border' : tone === 'warning' ? 'amber.border' : 'brand.border'}
    color={tone === 'error' ? 'red.fg' : tone === 'warning' ? 'amber.fg' : 'brand.fg'}
    textStyle="sm"
    fontWeight="medium"
  >
    <Box asChild flexShrink="0" mt={action ? '0' : '2px'} boxSize="4">
      <Icon aria-hidden />
    </Box>
    <Box flex="1" minW="0">
      {children}
    </Box>
    {action}
  </Box>
);
