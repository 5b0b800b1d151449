import { integratorId, themeId } from '../contracts/fields.ts';
import type { EventMeta } from '../domain/event.ts';
import type { IntegratorId, ThemeId } from '../domain/ids.ts';
import type { IntegratorCommand } from '../domain/integrator/commands.ts';
import { newMasterLicenseKey } from '../security/keys.ts';
import { type DatedAction, must, type SeedContext } from './datedActions.ts';
import { type IntegratorSpec, themeSpecs } from './specs.ts';

/** A service integrator that the demo creates. */
export type NewIntegrator = Readonly<{
  spec: IntegratorSpec;
  id: IntegratorId;
  masterLicenseKey: string;
  /** Its themes, by name. */
  themes: ReadonlyMap<string, ThemeId>;
  /** Whether its customers see its own domain and colors. */
  isBranded: boolean;
}>;

/** Ids and keys for a service integrator. Nothing is written. */
export const newIntegrator = ({ product, keyPrefix }: SeedContext, spec: IntegratorSpec, isBranded: boolean): NewIntegrator => ({
  spec,
  id: integratorId.parse(product.newId()),
  masterLicenseKey: newMasterLicenseKey(keyPrefix),
  themes: new Map(themeSpecs.map(({ themeName }) => [themeName, themeId.parse(product.newId())])),
  isBranded,
});

/** Themes for the terminals of the integrator's customers; the oldest is the default. */
const themeActions = ({ product }: SeedContext, integrator: NewIntegrator): DatedAction[] =>
  themeSpecs.flatMap((theme, index) => {
    const id = integrator.themes.get(theme.themeName);
    if (id === undefined) return [];
    return {
      daysAgo: integrator.spec.sinceDaysAgo * (0.8 - index * 0.1),
      run: async (meta) => {
        const data = { integratorId: integrator.id, themeId: id, ...theme };
        must(await product.commands.themes.handle({ type: 'CreateTheme', data, meta }), 'create a theme');
      },
    };
  });

/** The actions of a service integrator, without its customers. */
export const integratorActions = (context: SeedContext, integrator: NewIntegrator): DatedAction[] => {
  const { spec, id, masterLicenseKey, isBranded } = integrator;
  const { companyName, domain, sinceDaysAgo } = spec;
  const action = (daysAgo: number, what: string, command: (meta: EventMeta) => IntegratorCommand): DatedAction => ({
    daysAgo,
    run: async (meta) => void must(await context.product.commands.integrators.handle(command(meta)), what),
  });
  const contact = { companyName, contactEmail: `contact@${domain}`, billingEmail: `billing@${domain}` };
  const actions = [
    action(sinceDaysAgo, 'register an integrator', (meta) => ({
      type: 'RegisterIntegrator',
      data: { integratorId: id, ...contact, masterLicenseKey },
      meta,
    })),
    ...themeActions(context, integrator),
  ];
  if (!isBranded) return actions;
  const branded = { integratorId: id, customDomain: `licenses.${domain}` };
  return [
    ...actions,
    action(sinceDaysAgo / 2, 'enable white-label', (meta) => ({ type: 'EnableWhiteLabel', data: { integratorId: id }, meta })),
    action(sinceDaysAgo / 2, 'brand an integrator', (meta) => ({ type: 'ChangeBranding', data: branded, meta })),
  ];
};
