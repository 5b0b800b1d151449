import { type Area, areaRoot } from '../areas.ts';
import { History, KeyRound, LogOut, ShieldCheck, UserRoundCog, Zap } from '../ui/icons.ts';
import type { NavItem } from './Navigation.tsx';
import { layoutTexts } from './texts.ts';

const { security: texts } = layoutTexts;

/** The screens about the security of a tenant. The first has the address of the navigation's item. */
export const securityScreens = (area: Area): readonly NavItem[] => {
  const root = `${areaRoot[area]}/team`;
  return [
    { to: root, label: texts.team[area], icon: UserRoundCog, needs: 'members:read' },
    { to: `${root}/sign-ins`, label: texts.signIns, icon: KeyRound, needs: 'signIns:read' },
    { to: `${root}/sessions`, label: texts.sessions, icon: LogOut, needs: 'sessions:read' },
    { to: `${root}/tokens`, label: texts.tokens, icon: Zap, needs: 'tokens:read' },
    { to: `${root}/activity`, label: texts.activity, icon: History, needs: 'history:read' },
  ];
};

/** The navigation's item for them. */
export const securityItem = (area: Area): NavItem => ({
  to: `${areaRoot[area]}/team`,
  label: texts.title,
  alias: texts.alias,
  icon: ShieldCheck,
  needs: 'members:read',
});
