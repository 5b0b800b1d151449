import { lazy } from 'react';
import { lazyDialog } from '../../ui/dialogs.tsx';

export { teamQuery } from './api/team.ts';
export { administration, type OwnTeam, teamOfCustomer, teamOfIntegrator } from './ownTeam.ts';
export { teamTexts } from './texts.ts';

/** The offer of an account to the holder of the admin key who signed in; loaded by itself, since few administrators see it. */
export const LazyOwnerOffer = lazy(async () => ({ default: (await import('./components/OwnerOffer.tsx')).OwnerOffer }));

/** The dialog with the link of an invitation. */
export const LinkModal = lazyDialog(async () => (await import('./components/LinkModal.tsx')).LinkModal);
