import { Box, Button, Dialog, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomerMove } from '../../../../../src/contracts/customerMoves.ts';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { messageOf } from '../../../api/error.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { FieldFrame } from '../../../ui/controls.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Modal } from '../../../ui/Modal.tsx';
import { notify } from '../../../ui/notify.ts';
import { SearchSelect } from '../../../ui/SearchSelect.tsx';
import { Banner, Loading } from '../../../ui/states.tsx';
import { Changes } from '../../history/index.ts';
import { integratorChoicesQuery } from '../../integrators/index.ts';
import { customerMoveQuery, useMoveCustomer, type WantedMove } from '../api/customerMoves.ts';
import { customerDialogTexts } from '../dialogTexts.ts';
import { customerMoveTexts as texts } from '../moveTexts.ts';

const Preview = ({ move }: { move: CustomerMove }) => (
  <>
    {move.isNameTaken && <Banner tone="warning">{texts.nameTaken(move)}</Banner>}
    <Text textStyle="sm" fontWeight="medium" mt={move.isNameTaken ? '3' : '0'}>
      {texts.changes}
    </Text>
    <Changes changes={move.changes} />
    <Text textStyle="sm" fontWeight="medium" mt="3">
      {texts.comesAlong}
    </Text>
    <Text textStyle="sm" color="fg.muted">
      {texts.along(move)}
    </Text>
  </>
);

/** Moves a customer to another service integrator after a preview. */
export const MoveCustomerModal = ({ dialog, customer }: { dialog: DialogState; customer: Customer }) => {
  const [wanted, setWanted] = useState<WantedMove>({ serviceIntegratorId: '', records: 'keep' });
  const [search, setSearch] = useState('');
  const integrators = useQuery(integratorChoicesQuery(search));
  const found = (integrators.data?.service_integrators ?? []).filter(({ id }) => id !== customer.serviceIntegratorId);
  const move = useMoveCustomer(customer.id);
  const { data: preview, error, isLoading } = useQuery({ ...customerMoveQuery(customer.id, wanted), retry: false });
  const confirm = () =>
    preview &&
    move.mutate(
      { wanted, etag: preview.etag },
      {
        onSuccess: () => {
          notify.success(texts.moved(preview.move.to.name));
          dialog.close();
        },
      },
    );
  return (
    <Modal dialog={dialog} title={texts.title} description={texts.description}>
      <Dialog.Body display="flex" flexDirection="column" gap="4">
        {move.error && <Banner tone="error">{messageOf(move.error, texts.moveFailed)}</Banner>}
        {error && !move.isPending && <Banner tone="error">{messageOf(error, texts.loadFailed)}</Banner>}
        <FieldFrame label={texts.integrator} isRequired>
          <SearchSelect
            value={wanted.serviceIntegratorId}
            onChange={(serviceIntegratorId) => setWanted({ ...wanted, serviceIntegratorId })}
            label={texts.integrator}
            placeholder={customerDialogTexts.searchIntegrators}
            options={found.map(({ id, companyName }) => ({ value: id, label: companyName }))}
            more={Math.max(0, (integrators.data?.total ?? 0) - (integrators.data?.service_integrators.length ?? 0))}
            isSearching={integrators.isFetching}
            onSearch={setSearch}
            texts={customerDialogTexts.integratorSearch}
          />
        </FieldFrame>
        <Checkbox
          label={texts.records}
          hint={texts.recordsHint}
          checked={wanted.records === 'keep'}
          onChange={({ target }) => setWanted({ ...wanted, records: target.checked ? 'keep' : 'clear' })}
        />
        {/* Space for the list of service integrators, before there is a preview. */}
        <Box aria-live="polite" minH="180px">
          {isLoading && <Loading label={texts.loading} height="96px" />}
          {preview && !error && <Preview move={preview.move} />}
        </Box>
      </Dialog.Body>
      <Dialog.Footer>
        <Button variant="outline" onClick={dialog.close}>
          {texts.cancel}
        </Button>
        <BusyButton
          colorPalette="brand"
          onClick={confirm}
          disabled={!preview || error !== null}
          isBusy={move.isPending}
          busyLabel={texts.moving}
        >
          {texts.confirm}
        </BusyButton>
      </Dialog.Footer>
    </Modal>
  );
};
