export { CustomerFilter } from './components/CustomerFilter.tsx';
export { IntegratorFilter } from './components/IntegratorFilter.tsx';
export { UserFilter } from './components/UserFilter.tsx';
