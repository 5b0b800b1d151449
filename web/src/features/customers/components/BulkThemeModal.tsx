import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { IntegratorId } from '../../../../../src/domain/ids.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { recordBulkChange } from '../../../api/recordBulkChange.ts';
import { BulkDialog } from '../../../ui/BulkDialog.tsx';
import { FieldFrame, Select } from '../../../ui/controls.tsx';
import { customThemesQuery } from '../../customThemes/index.ts';
import { builtinThemesQuery, ownedThemesQuery } from '../../themes/index.ts';
import { changeTheme } from '../api/bulk.ts';
import { customerBulkTexts as texts } from '../bulkTexts.ts';
import type { CustomerBulkProps } from './BulkStatusModal.tsx';
import { customerKey } from './customerRows.tsx';

const REFETCHED = [topic.customers(), ['customer'], topic.allThemes()] as const;
const NONE = 'none';
/** The built-in theme that 'None' stands for. */
const PLAIN = 'plain';
/** The server's maximum page size. */
const MAX_THEMES = 500;

const nameOf = ({ name }: Customer): string => name;
const themeOf = ({ theme, themeDisplayName }: Customer): string => themeDisplayName ?? theme ?? texts.noTheme;

type Choice = Readonly<{ value: string; label: string }>;

const Group = ({ label, choices }: { label: string; choices: readonly Choice[] }) =>
  choices.length > 0 && (
    <optgroup label={label}>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </optgroup>
  );

const Builtins = () => {
  const themes = useQuery(builtinThemesQuery()).data?.themes ?? [];
  const choices = themes
    .filter(({ available, name }) => available && name !== PLAIN)
    .map(({ name, displayName }) => ({ value: name, label: displayName }));
  return <Group label={texts.builtinThemes} choices={choices} />;
};

const choicesOf = (themes: readonly { id: string; displayName: string }[] = []): Choice[] =>
  themes.map(({ id, displayName }) => ({ value: id, label: displayName }));

/** The custom themes of a service integrator, for administrators. */
const OwnedThemes = ({ owner }: { owner: IntegratorId }) => {
  const { data } = useQuery(ownedThemesQuery({ serviceIntegratorId: owner, active: true, limit: MAX_THEMES }));
  return <Group label={texts.customThemes} choices={choicesOf(data?.themes)} />;
};

/** The custom themes of the service integrator that is signed in. */
const OwnThemes = ({ owner }: { owner: IntegratorId }) => {
  const { data } = useQuery(customThemesQuery(owner, { active: true, limit: MAX_THEMES }));
  return <Group label={texts.customThemes} choices={choicesOf(data?.themes)} />;
};

const customThemesOf = { admin: OwnedThemes, integrator: OwnThemes } as const satisfies Record<CustomerManager, unknown>;

const NOTHING: Choice = { value: '', label: '' };

/** Gives the selected customers one theme, or removes theirs. */
export const BulkThemeModal = ({ dialog, manager, customers, onClose }: CustomerBulkProps) => {
  const [chosen, setChosen] = useState(NOTHING);
  const [owners] = useState(() => [...new Set(customers.map(({ serviceIntegratorId }) => serviceIntegratorId))]);
  // Custom themes belong to one service integrator.
  const owner = owners.length === 1 ? owners[0] : undefined;
  const CustomThemes = customThemesOf[manager];
  const isOpen = chosen.value === '';
  const theme = chosen.value === NONE ? null : chosen.value;
  return (
    <BulkDialog
      dialog={dialog}
      title={texts.themeTitle}
      rows={customers}
      keyOf={customerKey}
      nameOf={nameOf}
      isAffected={(customer) => isOpen || customer.theme !== theme}
      preview={(customer) => (isOpen ? themeOf(customer) : `${themeOf(customer)} ${texts.becomes} ${chosen.label}`)}
      isIncomplete={isOpen}
      confirmLabel={texts.themeCount}
      busyLabel={texts.assigning}
      change={(customer, keys) => changeTheme(customer, theme, keys)}
      record={(id, refused, options) => recordBulkChange(manager, { id, kind: 'theme', refused }, options)}
      touched={REFETCHED}
      fallback={texts.assignFailed}
      onClose={onClose}
    >
      <FieldFrame label={texts.themeLabel} isRequired hint={owners.length > 1 ? texts.onlyBuiltin : undefined}>
        <Select
          value={chosen.value}
          onChange={({ target }) => setChosen({ value: target.value, label: target.selectedOptions[0]?.text ?? '' })}
        >
          <option value="" disabled>
            {texts.chooseTheme}
          </option>
          <option value={NONE}>{texts.noTheme}</option>
          <Builtins />
          {owner && <CustomThemes owner={owner} />}
        </Select>
      </FieldFrame>
    </BulkDialog>
  );
};
