import { BusyButton } from './BusyButton.tsx';
import type { LucideIcon } from './icons.ts';

type ItemActionProps = {
  /** What it does, a verb. */
  label: string;
  /** The verb with the item, for screen readers. */
  name: string;
  icon: LucideIcon;
  onPress: () => void;
  /** The `lazyDialog` that it opens. */
  opens?: { preload: () => void };
  isDestructive?: boolean;
  isBusy?: boolean;
  busyLabel?: string;
};

/** A small button for an action on one item of a list. */
export const ItemAction = ({
  label,
  name,
  icon: Icon,
  onPress,
  opens,
  isDestructive = false,
  isBusy = false,
  busyLabel,
}: ItemActionProps) => (
  <BusyButton
    size="xs"
    variant="outline"
    {...(isDestructive && { color: 'fg.error' })}
    {...(opens && { 'aria-haspopup': 'dialog', onPointerEnter: opens.preload, onFocus: opens.preload })}
    aria-label={name}
    onClick={onPress}
    isBusy={isBusy}
    {...(busyLabel !== undefined && { busyLabel })}
  >
    <Icon aria-hidden />
    {label}
  </BusyButton>
);
