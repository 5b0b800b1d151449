import { Box, Button, chakra, Dialog, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import type { CustomTheme } from '../../../../../src/contracts/themes.ts';
import { messageOf } from '../../../api/error.ts';
import { useIntegratorSession } from '../../../session/session.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Badge } from '../../../ui/badges.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { SearchField } from '../../../ui/FilterBar.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { notify } from '../../../ui/notify.ts';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Banner } from '../../../ui/states.tsx';
import { customThemesQuery, useAssignTheme } from '../api/customThemes.ts';
import { customThemeTexts as texts } from '../texts.ts';

const Dot = ({ color }: { color: string }) => (
  <Box as="span" boxSize="14px" borderRadius="full" boxShadow="inset 0 0 0 1px rgb(0 0 0 / 0.14)" style={{ background: color }} />
);

type DotsProps = { colors: Pick<CustomTheme['themeConfig']['colors'], 'primary' | 'secondary' | 'accent'> };

/** A theme's three colors; decorative. */
const Dots = ({ colors: { primary, secondary, accent } }: DotsProps) => (
  <Flex as="span" display="inline-flex" gap="1" flexShrink="0" aria-hidden>
    <Dot color={primary} />
    <Dot color={secondary} />
    <Dot color={accent} />
  </Flex>
);

type ChoiceProps = { theme: CustomTheme; isChosen: boolean; isCurrent: boolean; onChoose: () => void };

const Choice = ({ theme, isChosen, isCurrent, onChoose }: ChoiceProps) => (
  <chakra.label
    display="flex"
    alignItems="center"
    gap="3"
    px="3.5"
    py="3"
    borderWidth="1px"
    borderColor={isChosen ? 'brand.solid' : 'border'}
    borderRadius="l2"
    bg={isChosen ? 'brand.subtle' : 'bg.panel'}
    cursor="pointer"
    transition="background-color .12s, border-color .12s"
    _focusWithin={{ outline: '2px solid', outlineColor: 'brand.focusRing', outlineOffset: '2px' }}
  >
    <chakra.input
      type="radio"
      name="theme"
      value={theme.id}
      checked={isChosen}
      onChange={onChoose}
      boxSize="4"
      flexShrink="0"
      outline="0"
      accentColor="brand.solid"
    />
    <Box flex="1" minW="0">
      <Text as="span" display="block" textStyle="sm" fontWeight="medium" title={theme.displayName} truncate>
        {theme.displayName}
      </Text>
      <code className="mono">{theme.themeName}</code>
    </Box>
    {isCurrent && <Badge tone="brand">{texts.current}</Badge>}
    <Dots colors={theme.themeConfig.colors} />
  </chakra.label>
);

/** Number of themes offered without a search. */
const SHOWN = 20;

type AssignThemeModalProps = { dialog: DialogState; customer: Customer };

/** Gives a customer one of the integrator's active themes. */
export const AssignThemeModal = ({ dialog, customer }: AssignThemeModalProps) => {
  const { id: owner } = useIntegratorSession();
  const [search, setSearch] = useState('');
  const query = useQuery(customThemesQuery(owner, { active: true, search, limit: SHOWN }));
  const assign = useAssignTheme(owner, customer.id);
  const [chosen, setChosen] = useState<CustomTheme>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!chosen) return;
    assign.mutate(chosen.id, {
      onSuccess: () => {
        notify.success(texts.assigned(chosen.displayName, customer.name));
        dialog.close();
      },
    });
  };
  return (
    <Modal dialog={dialog} title={texts.assignTitle} description={texts.assignTo(customer.name)}>
      <chakra.form display="contents" onSubmit={submit}>
        <Dialog.Body display="flex" flexDirection="column" gap="3">
          {assign.error && <Banner tone="error">{messageOf(assign.error, texts.assignFailed)}</Banner>}
          <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height="160px">
            {({ themes, total }) => (
              <>
                {(search !== '' || total > SHOWN) && (
                  <SearchField label={texts.search} placeholder={texts.searchHint} value={search} onChange={setSearch} />
                )}
                {themes.length === 0 ? (
                  <Text color="fg.muted">{search === '' ? texts.noneToAssign : texts.noneFound}</Text>
                ) : (
                  <Flex as="fieldset" direction="column" gap="2" border="0" aria-label={texts.assignTitle}>
                    {themes.map((theme) => (
                      <Choice
                        key={theme.id}
                        theme={theme}
                        isChosen={theme.id === chosen?.id}
                        isCurrent={theme.id === customer.theme}
                        onChoose={() => setChosen(theme)}
                      />
                    ))}
                  </Flex>
                )}
                {total > themes.length && (
                  <Text textStyle="xs" color="fg.subtle">
                    {texts.moreToAssign(total - themes.length)}
                  </Text>
                )}
              </>
            )}
          </QueryView>
        </Dialog.Body>
        <Dialog.Footer>
          <Button variant="outline" onClick={dialog.close}>
            Cancel
          </Button>
          <BusyButton type="submit" colorPalette="brand" disabled={!chosen} isBusy={assign.isPending} busyLabel={texts.assigning}>
            {texts.assign}
          </BusyButton>
        </Dialog.Footer>
      </chakra.form>
    </Modal>
  );
};
