import { Box, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { CHART_RANGES } from '../../../../../src/contracts/chartSpans.ts';
import { type VoidPreview, voidCalls } from '../../../../../src/contracts/voids.ts';
import { FormModal } from '../../../forms/FormModal.tsx';
import { TextAreaField, TextField } from '../../../forms/fields.tsx';
import { useModalForm } from '../../../forms/useModalForm.ts';
import { format } from '../../../lib/format.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { TriangleAlert } from '../../../ui/icons.ts';
import { Banner, ErrorState, Loading } from '../../../ui/states.tsx';
import type { CallFilter } from '../api/calls.ts';
import { useVoidCalls, type VoidRange, type VoidsOf, voidPreviewQuery } from '../api/voids.ts';
import { callTexts } from '../texts.ts';
import { voidDialogTexts as dialogTexts } from '../voidDialogTexts.ts';
import { voidTexts as texts } from '../voidTexts.ts';

/** Parts of a preview that are named. */
const NAMED = 5;
const HEIGHT = '112px';

type Values = { firstSequence: string; lastSequence: string; reason: string };

type VoidCallsModalProps = {
  dialog: DialogState;
  of: VoidsOf;
  /** That of the list: its source and time limit what is voided. */
  filter: CallFilter;
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

type CountedProps = {
  preview: VoidPreview;
  /** Whether the preview is that of the former numbers. */
  isOld: boolean;
};

const Counted = ({ preview, isOld }: CountedProps) => {
  if (preview.calls === 0) return <Text>{isOld ? texts.previewLoading : texts.nothing}</Text>;
  return (
    <>
      <Text fontWeight="semibold" mb="2">
        {isOld ? texts.previewLoading : texts.total(preview.calls, format.whole(preview.calls), format.whole(preview.errors))}
      </Text>
      <Box opacity={isOld ? 0.4 : 1} aria-hidden={isOld}>
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
      </Box>
    </>
  );
};

const NUMBER = /^[1-9]\d{0,14}$/;
const isNumber = (text: string): boolean => text === '' || NUMBER.test(text);

/** The filter includes its last moment, a void does not. */
const momentAfter = (moment: string): string => (moment === '' ? '' : new Date(Date.parse(moment) + 1).toISOString());

const startOf = ({ range, from }: CallFilter): string =>
  range === undefined ? from : new Date(Date.now() - 1000 * CHART_RANGES[range]).toISOString();

/** The names of the filters that are set and do not limit the void. */
const ignoredIn = (filter: CallFilter): string[] =>
  Object.entries(dialogTexts.filters).flatMap(([name, label]) => ((filter[name as keyof CallFilter] ?? '') === '' ? [] : [label]));

/** What would be voided, unless the numbers are no range. `isCurrent` once it was counted for this range. */
const usePreview = (of: VoidsOf, range: VoidRange) => {
  const { firstSequence: first, lastSequence: last } = range;
  const problem = !(isNumber(first) && isNumber(last))
    ? dialogTexts.notNumbers
    : first !== '' && last !== '' && Number(first) > Number(last)
      ? dialogTexts.reversed
      : null;
  const counted = useDeferredValue(range);
  const query = useQuery({ ...voidPreviewQuery(of, counted), enabled: problem === null });
  const isCurrent = problem === null && query.isSuccess && !query.isPlaceholderData && counted === range;
  return { ...query, problem, isCurrent };
};

const Preview = ({ problem, isCurrent, data, error, isFetching, refetch }: ReturnType<typeof usePreview>) => (
  <Box
    as="section"
    aria-label={texts.preview}
    aria-busy={problem === null && !isCurrent && isFetching}
    borderWidth="1px"
    borderColor="border"
    borderRadius="l2"
    px="4"
    py="3"
  >
    {problem ? (
      <Text role="status">{problem}</Text>
    ) : data ? (
      <Counted preview={data.preview} isOld={!isCurrent} />
    ) : error ? (
      <ErrorState error={error} fallback={texts.previewFailed} onRetry={refetch} isRetrying={isFetching} height={HEIGHT} />
    ) : (
      <Loading label={texts.previewLoading} height={HEIGHT} />
    )}
  </Box>
);

const exactOf = (moment: string): string => (moment === '' ? '' : format.exactZoned(moment));

/** Voids calls of a source after a preview. */
export const VoidCallsModal = ({ dialog, of, filter }: VoidCallsModalProps) => {
  // The list may be filtered by a range up to now, which moves on.
  const [{ sourceId, from, until, ignored }] = useState(() => ({
    sourceId: filter.sourceId,
    from: startOf(filter),
    until: momentAfter(filter.to),
    ignored: ignoredIn(filter),
  }));
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
  const [first, last] = useWatch({ control, name: ['firstSequence', 'lastSequence'] }).map((typed) => typed.trim());
  const range = useMemo(
    () => ({ sourceId, firstSequence: first ?? '', lastSequence: last ?? '', from, until }),
    [sourceId, first, last, from, until],
  );
  const preview = usePreview(of, range);
  return (
    <FormModal
      {...modal}
      title={texts.title}
      submitLabel={texts.submit}
      busyLabel={texts.busy}
      isDisabled={!preview.isCurrent && !modal.isBusy}
    >
      <Text textStyle="sm" color="fg.muted">
        {texts.intro}
      </Text>
      {ignored.length > 0 && (
        <Banner tone="warning" icon={TriangleAlert}>
          {dialogTexts.ignored(ignored)}
        </Banner>
      )}
      <Flex gap="4" wrap={{ base: 'wrap', md: 'nowrap' }}>
        <TextField control={control} name="firstSequence" label={texts.fields.firstSequence} hint={texts.numberHint} />
        <TextField control={control} name="lastSequence" label={texts.fields.lastSequence} hint={texts.numberHint} />
      </Flex>
      {preview.problem === null && (
        <Box>
          <Text fontWeight="medium" overflowWrap="anywhere">
            {dialogTexts.what(sourceId, range.firstSequence, range.lastSequence, exactOf(from), exactOf(until))}
          </Text>
          <Text textStyle="sm" color="fg.muted">
            {dialogTexts.arriving}
          </Text>
        </Box>
      )}
      <Preview {...preview} />
      <TextAreaField control={control} name="reason" label={texts.fields.reason} hint={texts.reasonHint} rows={2} isRequired />
    </FormModal>
  );
};
