export { SessionsCard } from './components/SessionsCard.tsx';
