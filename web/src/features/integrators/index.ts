export { INTEGRATORS_ROOT, integratorChoicesQuery } from './api/integrators.ts';
export { CreateIntegratorModal } from './components/CreateIntegratorModal.tsx';
export { integratorTexts } from './texts.ts';
