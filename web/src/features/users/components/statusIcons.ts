import { Pause, Play, ShieldBan } from '../../../ui/icons.ts';

/** The icon of each change of a user's status. */
export const statusIcons = { active: Play, inactive: Pause, suspended: ShieldBan } as const;
