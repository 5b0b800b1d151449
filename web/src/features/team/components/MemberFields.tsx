import { type Control, useWatch } from 'react-hook-form';
import { ROLES, type Role } from '../../../../../src/domain/permissions.ts';
import { SelectField, TextField } from '../../../forms/fields.tsx';
import type { OwnTeam } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';

/** The values of the fields. */
export type MemberValues = { name: string; email: string; role: Role };

type MemberFieldsProps<Output> = { control: Control<MemberValues, unknown, Output>; kind: OwnTeam['kind'] };

/** What the chosen role may do. */
const hintOf = (kind: OwnTeam['kind'], role: Role): string | undefined => {
  const hints: Partial<Record<Role, string>> = texts.roleHints[kind];
  return hints[role];
};

/** Name, email address and role of a named user. */
export const MemberFields = <Output,>({ control, kind }: MemberFieldsProps<Output>) => {
  const role = useWatch({ control, name: 'role' });
  return (
    <>
      <TextField control={control} name="name" label={texts.fields.name} isRequired />
      <TextField control={control} name="email" type="email" label={texts.fields.email} isRequired />
      <SelectField control={control} name="role" label={texts.fields.role} hint={hintOf(kind, role)} isRequired>
        {ROLES[kind].map((value) => (
          <option key={value} value={value}>
            {texts.roles[value]}
          </option>
        ))}
      </SelectField>
    </>
  );
};
