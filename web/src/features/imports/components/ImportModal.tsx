import { Button, Dialog } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { messageOf } from '../../../api/error.ts';
import { download } from '../../../lib/download.ts';
import { FieldFrame, Input } from '../../../ui/controls.tsx';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Download } from '../../../ui/icons.ts';
import { Modal } from '../../../ui/Modal.tsx';
import { Banner } from '../../../ui/states.tsx';
import { type ImportPath, type ImportResult, importFile } from '../api/importFile.ts';
import { resultCsv } from '../resultCsv.ts';
import { importTexts as texts } from '../texts.ts';
import { ImportLines } from './ImportLines.tsx';

type Step = 'choose' | 'checking' | 'checked' | 'importing' | 'done';
type ImportModalProps = { dialog: DialogState; kind: 'customers' | 'users'; path: ImportPath };

const NONE: ImportResult = { lines: [], all: null, counts: null };

/** Checks a chosen file, shows what each line would do, imports it, and offers the result as a file. */
export const ImportModal = ({ dialog, kind, path }: ImportModalProps) => {
  const [step, setStep] = useState<Step>('choose');
  const [file, setFile] = useState<File | null>(null);
  const [result, setResult] = useState(NONE);
  const [error, setError] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);

  const run = async (chosen: File, isDryRun: boolean): Promise<void> => {
    const stop = new AbortController();
    running.current = stop;
    setError(null);
    setResult(NONE);
    setStep(isDryRun ? 'checking' : 'importing');
    try {
      const ended = await importFile(path, chosen, {
        isDryRun,
        signal: stop.signal,
        onProgress: (known) => setResult({ ...known }),
      });
      setResult(ended);
      if (ended.counts === null) setError(!isDryRun ? texts.stopped : stop.signal.aborted ? texts.checkStopped : texts.failed);
      setStep(isDryRun && ended.counts === null ? 'choose' : isDryRun ? 'checked' : 'done');
    } catch (failure) {
      setError(stop.signal.aborted ? texts.checkStopped : messageOf(failure, texts.failed));
      setStep('choose');
    } finally {
      running.current = null;
    }
  };
  const choose = (chosen: File | undefined): void => {
    setFile(chosen ?? null);
    if (chosen) void run(chosen, true);
  };
  const isRunning = step === 'checking' || step === 'importing';
  const stop = (): void => running.current?.abort();
  const close = (): void => {
    if (step === 'importing') return;
    stop();
    dialog.close();
  };
  const { created = 0, changed = 0, refused = 0 } = result.counts ?? {};
  const effective = created + changed;
  return (
    <Modal dialog={{ ...dialog, close }} title={texts.titles[kind]} size="lg">
      <Dialog.Body display="flex" flexDirection="column" gap="4">
        {step === 'choose' && (
          <FieldFrame label={texts.file} hint={texts.hints[kind]} isRequired>
            <Input type="file" accept=".csv,text/csv" py="1.5" onChange={({ target }) => choose(target.files?.[0])} />
          </FieldFrame>
        )}
        {error !== null && <Banner tone="error">{error}</Banner>}
        {step !== 'choose' && <ImportLines result={result} isDryRun={step === 'checking' || step === 'checked'} />}
        {step === 'checked' && refused > 0 && <Banner tone="warning">{texts.refusedStay}</Banner>}
      </Dialog.Body>
      <Dialog.Footer flexWrap="wrap">
        {(step === 'checked' || step === 'done') && file && result.lines.length > 0 && (
          <Button
            variant="outline"
            onClick={() =>
              download(new Blob([resultCsv(result.lines)], { type: 'text/csv;charset=utf-8' }), texts.resultName(file.name))
            }
          >
            <Download aria-hidden />
            {texts.download}
          </Button>
        )}
        {step === 'checked' && (
          <Button variant="outline" onClick={() => setStep('choose')}>
            {texts.another}
          </Button>
        )}
        <Button variant="outline" onClick={isRunning ? stop : close}>
          {isRunning ? texts.stop : step === 'done' ? texts.close : texts.cancel}
        </Button>
        {step === 'checked' && file && effective > 0 && (
          <Button colorPalette="brand" onClick={() => void run(file, false)}>
            {texts.confirm(effective)}
          </Button>
        )}
      </Dialog.Footer>
    </Modal>
  );
};
