export { Reauthentication } from './components/Reauthentication.tsx';
