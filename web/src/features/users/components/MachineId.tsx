import { userTexts } from '../texts.ts';

const SHOWN = 16;

/** The first 16 characters of a machine's id and an ellipsis; the whole id is the title. */
export const MachineId = ({ id }: { id: string | null }) =>
  id === null ? (
    userTexts.noMachine
  ) : (
    <code className="mono" title={id}>
      {id.length > SHOWN ? `${id.slice(0, SHOWN)}…` : id}
    </code>
  );
