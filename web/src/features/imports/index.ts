export { ImportButton } from './components/ImportButton.tsx';
