import { usePreference } from '../lib/preferences.ts';
import { FilterButtons } from './FilterBar.tsx';

type Layout = 'cards' | 'table';

const texts = { title: 'Layout', cards: 'Cards', table: 'Table' } as const;

const acceptLayout = (stored: unknown): Layout => (stored === 'table' ? 'table' : 'cards');

/** Whether the user sees a list as cards or as a table; cards until the user chooses. */
export const useListLayout = (list: string): [Layout, (layout: Layout) => void] => usePreference(`layout.${list}`, acceptLayout);

type ListLayoutChoiceProps = { layout: Layout; onChange: (layout: Layout) => void };

/** Chooses between cards and a table. */
export const ListLayoutChoice = ({ layout, onChange }: ListLayoutChoiceProps) => (
  <FilterButtons
    label={texts.title}
    value={layout}
    onChange={onChange}
    options={[
      { value: 'cards', label: texts.cards },
      { value: 'table', label: texts.table },
    ]}
  />
);
