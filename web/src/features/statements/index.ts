export { StatementModal } from './components/LazyStatementModal.ts';
export { StatementButton } from './components/StatementButton.tsx';
export { statementTexts } from './texts.ts';
