export { ApiTokensCard } from './components/ApiTokensCard.tsx';
