import { asAdmin, type Caller, type Customer, callerOf, newCustomer, newIntegrator, signIn } from './support/apiClients.ts';
import { quantile, report } from './support/figures.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';

/** The time from a command to its reply, which the server sends when a GET shows the result. Sequential, on an otherwise idle server. */

const { repetitions } = settings({ repetitions: 300 });
const WARM_UP = 50;

const product = await startProduct();
try {
  const admin = await asAdmin(product.url);
  const integrator = await newIntegrator(admin);
  const customer = await newCustomer(admin, integrator, 'Acme');
  const { userId } = await signIn(product.url, customer, 'ada');

  const measure = async (name: string, command: (index: number) => Promise<unknown>): Promise<void> => {
    for (let index = 0; index < WARM_UP; index++) await command(index);
    const times: number[] = [];
    for (let index = WARM_UP; index < WARM_UP + repetitions; index++) {
      const begun = performance.now();
      await command(index);
      times.push(performance.now() - begun);
    }
    report(`${name}, p50`, quantile(times, 0.5), 'ms');
    report('  p99', quantile(times, 0.99), 'ms');
  };
  const isShown = async (shown: Caller, { id }: Customer, name: string): Promise<void> => {
    const reply = await shown('GET', `/api/admin/customers/${id}`);
    if (reply.customer.name !== name) throw new Error(`The reply to a command came before its effect: ${reply.customer.name}`);
  };
  const update = (name: string) =>
    admin('PUT', `/api/admin/customers/${customer.id}`, { name, contactEmail: 'it@acme.example', company: 'Acme' });

  await measure('a customer is changed', (index) => update(`Acme ${index}`));
  await measure('  changed and read again', async (index) => {
    await update(`Acme again ${index}`);
    await isShown(admin, customer, `Acme again ${index}`);
  });
  await measure('a customer is created', (index) => newCustomer(admin, integrator, `Customer ${index}`));
  await measure('a user is suspended or activated', (index) =>
    admin('PUT', `/api/admin/users/${userId}/status`, { status: index % 2 === 0 ? 'suspended' : 'active' }),
  );
  await measure('a command-line tool signs in', (index) => signIn(product.url, customer, `user-${index % 10}`));
  const anonymous = callerOf(product.url, {});
  await measure('for comparison: a GET without a query', () => anonymous('GET', '/healthz'));
} finally {
  await product.stop();
}
