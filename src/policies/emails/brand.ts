import type { Commands } from '../../commands/commands.ts';
import { isRegistered } from '../../domain/customer/state.ts';
import type { IntegratorId, TeamId } from '../../domain/ids.ts';
import { tenantOfTeam } from '../../domain/team/teamId.ts';
import type { Queries } from '../../projections/queries.ts';

/** How an email looks: the name of the product, `#RRGGBB`, the origin of its links, and the name of the recipient's tenant. */
export type Brand = Readonly<{ name: string; color: string; origin: string; tenant: string }>;

/** The color of the console. */
const PRODUCT_COLOR = '#0070AD';

/** Finds the brand for the members of a team: that of a white-label integrator, with its verified domain, or the product's own. */
export const brands = ({
  productName,
  origin,
  integrators,
  commands,
}: {
  productName: string;
  /** Of links, without a verified domain. */
  origin: string;
  integrators: Pick<Queries['integrators'], 'brandOf'>;
  commands: Pick<Commands, 'customers'>;
}): ((teamId: TeamId) => Promise<Brand>) => {
  const own: Brand = { name: productName, color: PRODUCT_COLOR, origin, tenant: productName };

  const ofIntegrator = async (integratorId: IntegratorId): Promise<Brand> => {
    const found = await integrators.brandOf(integratorId);
    if (!found) return own;
    const { companyName, primaryColor, customDomain, verified, whiteLabelEnabled, status } = found;
    if (!whiteLabelEnabled || status === 'churned') return { ...own, tenant: companyName };
    return {
      name: companyName,
      color: primaryColor ?? PRODUCT_COLOR,
      origin: verified && customDomain !== null ? `https://${customDomain}` : origin,
      tenant: companyName,
    };
  };

  return async (teamId) => {
    const tenant = tenantOfTeam(teamId);
    if (tenant.kind === 'administration') return own;
    if (tenant.kind === 'integrator') return ofIntegrator(tenant.integratorId);
    const { state } = await commands.customers.load(tenant.customerId);
    return isRegistered(state) ? { ...(await ofIntegrator(state.integratorId)), tenant: state.name } : own;
  };
};
