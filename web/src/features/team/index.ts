export { administration, type OwnTeam, teamOfIntegrator } from './api/team.ts';
export { LinkModal } from './components/LinkModal.tsx';
export { OwnerOffer } from './components/OwnerOffer.tsx';
export { teamTexts } from './texts.ts';
