import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { type RefObject, useId, useRef } from 'react';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { SERVICES } from '../../../../../src/domain/enumerations.ts';
import { FieldFrame, Input } from '../../../ui/controls.tsx';
import { Plus, Trash2 } from '../../../ui/icons.ts';
import { type EntitlementRow, withNewRow } from '../entitlementRows.ts';
import { entitlementTexts as texts } from '../texts.ts';

const FIELD = 'entitlements';

type Problem = { message?: string } | undefined;
type RowProblems = Partial<Record<'code' | 'startsAt' | 'endsAt', Problem>>;

type RowProps = {
  row: EntitlementRow;
  index: number;
  problems: RowProblems;
  /** The id of the list of suggested codes. */
  suggestions: string;
  onChange: (changes: Partial<EntitlementRow>) => void;
  onRemove: () => void;
};

const Row = ({ row, index, problems, suggestions, onChange, onRemove }: RowProps) => {
  const label = texts.entry(index + 1);
  return (
    <Box
      role="group"
      aria-label={label}
      display="grid"
      gap="3"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr) auto' }}
      alignItems="start"
    >
      <Box gridColumn="1 / -1">
        <FieldFrame label={texts.code} error={problems.code?.message} isRequired>
          <Input
            name={`${FIELD}.${index}.code`}
            value={row.code}
            list={suggestions}
            autoComplete="off"
            placeholder={texts.codePlaceholder}
            onChange={({ target }) => onChange({ code: target.value })}
          />
        </FieldFrame>
      </Box>
      <FieldFrame label={texts.fromDay} error={problems.startsAt?.message} saysOptional={false}>
        <Input
          type="date"
          name={`${FIELD}.${index}.from`}
          value={row.from}
          onChange={({ target }) => onChange({ from: target.value })}
        />
      </FieldFrame>
      <FieldFrame label={texts.untilDay} error={problems.endsAt?.message} saysOptional={false}>
        <Input
          type="date"
          name={`${FIELD}.${index}.until`}
          value={row.until}
          onChange={({ target }) => onChange({ until: target.value })}
        />
      </FieldFrame>
      <Button variant="ghost" size="sm" mt={{ md: '27px' }} aria-label={texts.removeEntry(label)} onClick={onRemove}>
        <Trash2 aria-hidden />
      </Button>
    </Box>
  );
};

type EntitlementsFieldProps<Values extends FieldValues, Output> = {
  control: Control<Values, unknown, Output>;
  /** What no rows mean. */
  none?: string;
};

/** Moves the focus once the changed rows are shown: to the first field of the last row, or to the button that adds one. */
const focusLater = (list: RefObject<HTMLElement | null>, selector: string): void =>
  void requestAnimationFrame(() => [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])].at(-1)?.focus());

/** Services and features as rows with a code and optional days. The form's value `entitlements` has the rows. */
export const EntitlementsField = <Values extends FieldValues & { entitlements: EntitlementRow[] }, Output>({
  control,
  none = texts.everyone,
}: EntitlementsFieldProps<Values, Output>) => {
  const { field, fieldState } = useController({ control, name: FIELD as FieldPath<Values> });
  const suggestions = useId();
  const set = useRef<HTMLFieldSetElement>(null);
  const rows: readonly EntitlementRow[] = field.value;
  const problem = fieldState.error as (Problem & readonly RowProblems[]) | undefined;
  const change = (key: number, changes: Partial<EntitlementRow>) =>
    field.onChange(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)));
  const add = () => {
    field.onChange(withNewRow(rows));
    focusLater(set, 'input[list]');
  };
  const remove = (key: number) => {
    field.onChange(rows.filter((row) => row.key !== key));
    focusLater(set, 'button');
  };
  return (
    <chakra.fieldset ref={set} borderWidth="0" p="0" m="0" minW="0" display="flex" flexDirection="column" gap="3">
      <chakra.legend textStyle="sm" fontWeight="medium" float="left" w="full">
        {texts.field}
      </chakra.legend>
      <Text textStyle="xs" color="fg.subtle">
        {rows.length === 0 ? none : texts.onlyThese}
      </Text>
      {rows.length > 0 && (
        <Flex direction="column" gap="3">
          {rows.map((row, index) => (
            <Row
              key={row.key}
              row={row}
              index={index}
              problems={problem?.[index] ?? {}}
              suggestions={suggestions}
              onChange={(changes) => change(row.key, changes)}
              onRemove={() => remove(row.key)}
            />
          ))}
        </Flex>
      )}
      {problem?.message && (
        <Text role="alert" textStyle="xs" fontWeight="medium" color="fg.error">
          {problem.message}
        </Text>
      )}
      <datalist id={suggestions}>
        {SERVICES.map((service) => (
          <option key={service} value={service} />
        ))}
      </datalist>
      <Button variant="outline" size="sm" alignSelf="start" onClick={add}>
        <Plus aria-hidden />
        {texts.addEntry}
      </Button>
    </chakra.fieldset>
  );
};
