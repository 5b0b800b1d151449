import { integratorId, themeId } from '../contracts/fields.ts';
import type { EventMeta } from '../domain/event.ts';
import type { IntegratorId, ThemeId } from '../domain/ids.ts';
import type { IntegratorCommand } from '../domain/integrator/commands.ts';
import { newMasterLicenseKey } from '../security/keys.ts';
import { type CastIntegrator, castThemes } from './cast.ts';
import { must, type PastAction, type Stage } from './stage.ts';

/** A service integrator of the demo. */
export type Reseller = Readonly<{
  cast: CastIntegrator;
  id: IntegratorId;
  masterLicenseKey: string;
  /** Its own, by name. */
  themes: ReadonlyMap<string, ThemeId>;
  /** Whether its customers see its own domain and colors. */
  isBranded: boolean;
}>;

export const newReseller = ({ product, keyPrefix }: Stage, cast: CastIntegrator, isBranded: boolean): Reseller => ({
  cast,
  id: integratorId.parse(product.newId()),
  masterLicenseKey: newMasterLicenseKey(keyPrefix),
  themes: new Map(castThemes.map(({ themeName }) => [themeName, themeId.parse(product.newId())])),
  isBranded,
});

/** Brands for the terminals of the integrator's customers; the oldest is the default. */
const themeActions = ({ product }: Stage, { cast, id, themes }: Reseller): PastAction[] =>
  castThemes.flatMap((look, index) => {
    const theme = themes.get(look.themeName);
    if (theme === undefined) return [];
    return {
      daysAgo: cast.sinceDaysAgo * (0.8 - index * 0.1),
      run: async (meta) => {
        const data = { integratorId: id, themeId: theme, ...look };
        must(await product.commands.themes.handle({ type: 'CreateTheme', data, meta }), 'create a theme');
      },
    };
  });

/** What an integrator did, without its customers. */
export const integratorActions = (stage: Stage, reseller: Reseller): PastAction[] => {
  const { cast, id, masterLicenseKey, isBranded } = reseller;
  const { companyName, domain, sinceDaysAgo } = cast;
  const action = (daysAgo: number, what: string, command: (meta: EventMeta) => IntegratorCommand): PastAction => ({
    daysAgo,
    run: async (meta) => void must(await stage.product.commands.integrators.handle(command(meta)), what),
  });
  const contact = { companyName, contactEmail: `contact@${domain}`, billingEmail: `billing@${domain}` };
  const actions = [
    action(sinceDaysAgo, 'register an integrator', (meta) => ({
      type: 'RegisterIntegrator',
      data: { integratorId: id, ...contact, masterLicenseKey },
      meta,
    })),
    ...themeActions(stage, reseller),
  ];
  if (!isBranded) return actions;
  const branded = { integratorId: id, customDomain: `licenses.${domain}` };
  return [
    ...actions,
    action(sinceDaysAgo / 2, 'enable white-label', (meta) => ({ type: 'EnableWhiteLabel', data: { integratorId: id }, meta })),
    action(sinceDaysAgo / 2, 'brand an integrator', (meta) => ({ type: 'ChangeBranding', data: branded, meta })),
  ];
};
