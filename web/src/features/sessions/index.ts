export { LazySessionsCard } from './components/LazySessionsCard.tsx';
