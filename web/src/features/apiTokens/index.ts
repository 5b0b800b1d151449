export { ApiAccessCard } from './components/ApiAccessCard.tsx';
