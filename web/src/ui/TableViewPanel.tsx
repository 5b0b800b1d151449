import { Button, Flex, Text } from '@chakra-ui/react';
import { Checkbox } from './Checkbox.tsx';
import { FilterButtons } from './FilterBar.tsx';
import type { TableView } from './tableView.ts';

const texts = {
  columns: 'Columns',
  density: 'Row height',
  comfortable: 'Comfortable',
  compact: 'Compact',
  reset: 'Reset view',
} as const;

/** Chooses the columns and the density of a table; the browser remembers both for the user. */
export const TableViewPanel = ({ view }: { view: Omit<TableView<never>, 'columns'> }) => (
  <Flex direction="column" gap="4" align="stretch">
    <FilterButtons
      label={texts.density}
      value={view.isCompact ? 'compact' : 'comfortable'}
      onChange={(density) => view.setCompact(density === 'compact')}
      options={[
        { value: 'comfortable', label: texts.comfortable },
        { value: 'compact', label: texts.compact },
      ]}
    />
    <Flex as="fieldset" direction="column" gap="2.5" border="0">
      <Text as="legend" textStyle="xs" fontWeight="medium" color="fg.subtle" mb="2">
        {texts.columns}
      </Text>
      {view.choices.map(({ header, isShown }) => (
        <Checkbox key={header} label={header} checked={isShown} onChange={({ target }) => view.show(header, target.checked)} />
      ))}
    </Flex>
    <Button size="xs" variant="outline" onClick={view.reset}>
      {texts.reset}
    </Button>
  </Flex>
);
