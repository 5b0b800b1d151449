import type { Commands } from '../commands/commands.ts';
import { ownerOf } from '../commands/streams.ts';
import type { Recorded } from '../eventstore/port.ts';
import { type Policy, type PolicyContext, policyOn } from './engine/policy.ts';

const deleted = (themeId: string): string => `deleted ${themeId}`;

/** A deleted theme's customers get their integrator's default theme, or none; also those to whom it was assigned at the same moment. */
export const fallBackFromDeletedThemes = ({ commands }: { commands: Commands }): Policy => {
  const fallBack = async (
    customer: string,
    from: string,
    catalogueStream: string,
    cause: Recorded,
    { metaFor }: PolicyContext,
  ): Promise<void> => {
    const { state: catalogue } = await commands.themes.load(ownerOf.themes(catalogueStream));
    const customerId = ownerOf.customer(customer);
    await commands.customers.handle({
      type: 'FallBackFromTheme',
      data: { customerId, from, to: catalogue.defaultThemeId },
      meta: metaFor(cause),
    });
  };

  return policyOn({
    name: 'fallBackFromDeletedThemes',
    eventTypes: ['ThemeAssigned', 'ThemeUnassigned', 'ThemeDeleted', 'CustomerDeleted'],
    react: async (recorded, context) => {
      const { event, stream } = recorded;
      const { notes } = context;
      switch (event.type) {
        case 'ThemeAssigned': {
          const { theme } = event.data;
          await notes.put(stream, theme);
          const gone = await notes.get(deleted(theme));
          if (gone) await fallBack(stream, theme, gone.value, recorded, context);
          return;
        }
        case 'ThemeUnassigned':
        case 'CustomerDeleted':
          return notes.remove(stream);
        case 'ThemeDeleted': {
          const { themeId } = event.data;
          await notes.put(deleted(themeId), stream);
          for (const customer of await notes.keysOf(themeId)) {
            await fallBack(customer, themeId, stream, recorded, context);
          }
          return;
        }
      }
    },
  });
};
