export { NewRecordsFields, recordsLabels } from './components/NewRecordsFields.tsx';
export { RecordsCard } from './components/RecordsCard.tsx';
export { TagFilter, tagIn } from './components/TagFilter.tsx';
export { newRecords, tagsIn, withRecords } from './recordsForm.ts';
