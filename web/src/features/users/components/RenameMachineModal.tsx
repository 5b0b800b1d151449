import { type Machine, renameMachine } from '../../../../../src/contracts/machines.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextField } from '../../../forms/fields.tsx';
import { useModalForm } from '../../../forms/useModalForm.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { useRenameMachine } from '../api/machines.ts';
import { renameMachineTexts as texts } from '../renameMachineTexts.ts';

type RenameMachineModalProps = { dialog: DialogState; machine: Machine; root: string };

/** Gives a machine another name; `root` is the path of the calls on the machines. */
export const RenameMachineModal = ({ dialog, machine, root }: RenameMachineModalProps) => {
  const { control, modal } = useModalForm({
    dialog,
    schema: renameMachine,
    defaults: { name: machine.name ?? '' },
    toBody: ({ name }) => ({ name }),
    labels: texts.fields,
    change: useRenameMachine(root, machine.id),
    done: texts.done,
    failed: texts.failed,
  });
  return (
    <FormModal {...modal} title={texts.title} size="sm" submitLabel={texts.save} busyLabel={texts.saving}>
      <TextField control={control} name="name" label={texts.fields.name} isRequired />
    </FormModal>
  );
};
