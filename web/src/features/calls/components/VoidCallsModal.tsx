import { Box, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { type VoidPreview, voidCalls } from '../../../../../src/contracts/voids.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextAreaField, TextField } from '../../../forms/fields.tsx';
import { useModalForm } from '../../../forms/useModalForm.ts';
import { format } from '../../../lib/format.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { useVoidCalls, type VoidRange, type VoidsOf, voidPreviewQuery } from '../api/voids.ts';
import { callTexts } from '../texts.ts';
import { voidTexts as texts } from '../voidTexts.ts';

/** Parts of a preview that are named. */
const NAMED = 5;
const HEIGHT = '112px';

type Values = { firstSequence: string; lastSequence: string; reason: string };

type VoidCallsModalProps = {
  dialog: DialogState;
  of: VoidsOf;
  sourceId: string;
  /** Moments, ISO-8601 UTC; empty for none. */
  from: string;
  until: string;
};

/** Facts without their own padding, which the dialog has. */
const DialogFacts = ({ children }: { children: ReactNode }) => (
  <Box mx={{ base: '-4', md: '-5' }} mb="-3">
    <Facts>{children}</Facts>
  </Box>
);

const Parts = ({ label, parts }: { label: string; parts: readonly { name: string; calls: number }[] }) => (
  <Fact label={label}>
    <Box as="ul" listStyleType="none">
      {parts.slice(0, NAMED).map(({ name, calls }) => (
        <li key={name}>{texts.part(name, calls, format.whole(calls))}</li>
      ))}
      {parts.length > NAMED && <li>{texts.more(parts.length - NAMED)}</li>}
    </Box>
  </Fact>
);

const Counted = ({ preview }: { preview: VoidPreview }) => {
  if (preview.calls === 0) return <Text>{texts.nothing}</Text>;
  return (
    <>
      <Text fontWeight="semibold" mb="2">
        {texts.total(preview.calls, format.whole(preview.calls), format.whole(preview.errors))}
      </Text>
      {preview.countedFrom && (
        <Text textStyle="sm" mb="2">
          {texts.since(format.exact(preview.countedFrom))}
        </Text>
      )}
      <DialogFacts>
        <Parts label={texts.days} parts={preview.days.map(({ day, calls }) => ({ name: day, calls }))} />
        <Parts
          label={texts.users}
          parts={preview.users.map(({ username, calls }) => ({ name: username ?? texts.removedUser, calls }))}
        />
        <Parts
          label={texts.services}
          parts={preview.services.map(({ service, calls }) => ({ name: callTexts.services[service], calls }))}
        />
      </DialogFacts>
    </>
  );
};

const NUMBER = /^[1-9]\d{0,14}$/;
const numberIn = (text: string): string => (NUMBER.test(text.trim()) ? text.trim() : '');

/** What would be voided. Numbers that are not valid yet do not limit it. */
const Preview = ({ of, range, control }: { of: VoidsOf; range: VoidRange; control: Control<Values, unknown, unknown> }) => {
  const [first, last] = useWatch({ control, name: ['firstSequence', 'lastSequence'] });
  const wanted = useDeferredValue({ ...range, firstSequence: numberIn(first), lastSequence: numberIn(last) });
  const isOrdered = wanted.firstSequence === '' || wanted.lastSequence === '' || Number(first) <= Number(last);
  const { data, error, isFetching, refetch } = useQuery({ ...voidPreviewQuery(of, wanted), enabled: isOrdered });
  return (
    <Box
      as="section"
      aria-label={texts.preview}
      aria-busy={isFetching}
      borderWidth="1px"
      borderColor="border"
      borderRadius="l2"
      px="4"
      py="3"
    >
      {data ? (
        <Counted preview={data.preview} />
      ) : error ? (
        <ErrorState error={error} fallback={texts.previewFailed} onRetry={refetch} isRetrying={isFetching} height={HEIGHT} />
      ) : (
        <Loading label={texts.previewLoading} height={HEIGHT} />
      )}
    </Box>
  );
};

/** Voids calls of a source after a preview. */
export const VoidCallsModal = ({ dialog, of, sourceId, from, until }: VoidCallsModalProps) => {
  const range = { sourceId, firstSequence: '', lastSequence: '', from, until };
  const { control, modal } = useModalForm({
    dialog,
    schema: voidCalls,
    defaults: { firstSequence: '', lastSequence: '', reason: '' },
    toBody: ({ firstSequence, lastSequence, reason }: Values) => ({
      sourceId,
      firstSequence: firstSequence.trim() === '' ? undefined : Number(firstSequence),
      lastSequence: lastSequence.trim() === '' ? undefined : Number(lastSequence),
      from: from === '' ? undefined : from,
      until: until === '' ? undefined : until,
      reason,
    }),
    labels: texts.fields,
    change: useVoidCalls(of),
    done: texts.done,
    failed: texts.failed,
  });
  return (
    <FormModal {...modal} title={texts.title} submitLabel={texts.submit} busyLabel={texts.busy}>
      <Text textStyle="sm" color="fg.muted">
        {texts.intro}
      </Text>
      <DialogFacts>
        <Fact label={texts.fields.sourceId}>
          <code className="mono">{sourceId}</code>
        </Fact>
        {from !== '' && <Fact label={texts.fields.from}>{format.exactZoned(from)}</Fact>}
        {until !== '' && <Fact label={texts.fields.until}>{format.exactZoned(until)}</Fact>}
      </DialogFacts>
      <Flex gap="4" wrap={{ base: 'wrap', md: 'nowrap' }}>
        <TextField control={control} name="firstSequence" label={texts.fields.firstSequence} hint={texts.numberHint} />
        <TextField control={control} name="lastSequence" label={texts.fields.lastSequence} hint={texts.numberHint} />
      </Flex>
      <Preview of={of} range={range} control={control} />
      <TextAreaField control={control} name="reason" label={texts.fields.reason} hint={texts.reasonHint} rows={2} isRequired />
    </FormModal>
  );
};
