import { Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { Notice } from '../../../../../src/contracts/notices.ts';
import { messageOf } from '../../../api/error.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { KeyRound } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/Time.tsx';
import type { OwnTeam } from '../../team/index.ts';
import { noticesQuery, useDismissNotices } from '../api/notices.ts';
import { noticeTexts as texts } from '../texts.ts';

/** Older ones are shown once newer ones are dismissed. */
const SHOWN = 3;

type NoticeListProps = { team: OwnTeam };

const useDismiss = (team: OwnTeam) => {
  const change = useDismissNotices(team);
  const dismiss = (notices: readonly Notice[]) =>
    change.mutate(
      { noticeIds: notices.map(({ noticeId }) => noticeId) },
      { onError: (error) => notify.error(messageOf(error, texts.dismissFailed)) },
    );
  return { dismiss, isBusy: change.isPending };
};

const NoticeBanner = ({ team, notice }: NoticeListProps & { notice: Notice }) => {
  const { dismiss, isBusy } = useDismiss(team);
  const button = (
    <BusyButton
      size="xs"
      variant="outline"
      aria-label={texts.dismissOne(notice)}
      onClick={() => dismiss([notice])}
      isBusy={isBusy}
      busyLabel={texts.dismissing}
    >
      {texts.dismiss}
    </BusyButton>
  );
  const from = texts.from(notice);
  return (
    <Banner tone="warning" icon={KeyRound} action={button}>
      {texts.title(notice)}: <Time at={notice.at} />
      {from && `, ${from}`}
      <Text textStyle="sm" fontWeight="normal">
        {texts.advice(notice)}
      </Text>
    </Banner>
  );
};

const DismissAll = ({ team, notices }: NoticeListProps & { notices: readonly Notice[] }) => {
  const { dismiss, isBusy } = useDismiss(team);
  return (
    <Flex align="center" justify="flex-end" gap="3">
      {notices.length > SHOWN && (
        <Text textStyle="sm" color="fg.muted">
          {texts.more(notices.length - SHOWN)}
        </Text>
      )}
      <BusyButton size="xs" variant="outline" onClick={() => dismiss(notices)} isBusy={isBusy} busyLabel={texts.dismissing}>
        {texts.dismissAll(notices.length)}
      </BusyButton>
    </Flex>
  );
};

/** The notices of the session's named user, above each screen until they are dismissed. */
export const NoticeList = ({ team }: NoticeListProps) => {
  const { data } = useQuery(noticesQuery(team));
  const notices = data?.notices ?? [];
  if (notices.length === 0) return null;
  return (
    <Flex as="section" aria-label={texts.region} direction="column" gap="2" mb="5">
      {notices.slice(0, SHOWN).map((notice) => (
        <NoticeBanner key={notice.noticeId} team={team} notice={notice} />
      ))}
      {notices.length > 1 && <DismissAll team={team} notices={notices} />}
    </Flex>
  );
};
