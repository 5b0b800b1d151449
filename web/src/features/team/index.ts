export { administration, type OwnTeam, teamOfIntegrator } from './api/team.ts';
export { teamTexts } from './texts.ts';
