export { CustomerStatCards } from './components/CustomerStatCards.tsx';
