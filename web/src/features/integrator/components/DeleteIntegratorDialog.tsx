import { Box, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { messageOf } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { TriangleAlert } from '../../../ui/icons.ts';
import { Banner } from '../../../ui/states.tsx';
import { Effects, effectsOfIntegratorDeletion, integratorImpactQuery } from '../../impact/index.ts';
import { integratorTexts } from '../../integrators/index.ts';
import { useDeleteIntegrator } from '../api/integrator.ts';

const DELETION = { deletion: true } as const;

type DeleteIntegratorDialogProps = { dialog: DialogState; integrator: ServiceIntegrator; onDeleted: () => void };

/** A customer may be created while the dialog is open: the integrator can then no longer be deleted. */
export const DeleteIntegratorDialog = ({ dialog, integrator, onDeleted }: DeleteIntegratorDialogProps) => {
  const remove = useDeleteIntegrator(integrator.id);
  const impact = useQuery({ ...integratorImpactQuery(integrator.id, DELETION), enabled: remove.isIdle || remove.isError });
  const isBlocked = integrator.customerCount > 0;
  return (
    <ConfirmDialog
      dialog={dialog}
      title={integratorTexts.deleteTitle}
      confirmLabel={integratorTexts.deleteTitle}
      busyLabel={integratorTexts.deleting}
      isBusy={remove.isPending}
      isDisabled={isBlocked || impact.isPending}
      typedName={integrator.companyName}
      error={remove.error ? messageOf(remove.error, integratorTexts.deleteFailed) : undefined}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onDeleted })}
    >
      <Text>{integratorTexts.deleteQuestion(integrator.companyName)}</Text>
      <Text mt="2">{integratorTexts.deleteWarning}</Text>
      <Box mt="4" _empty={{ display: 'none' }}>
        <Effects query={impact} effectsOf={effectsOfIntegratorDeletion} />
      </Box>
      {isBlocked && (
        <Box mt="4">
          <Banner tone="warning" icon={TriangleAlert}>
            {integratorTexts.deleteBlocked(integrator.customerCount)}
          </Banner>
        </Box>
      )}
    </ConfirmDialog>
  );
};
