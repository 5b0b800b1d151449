import { Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { DeviceRequest } from '../../../../../src/contracts/deviceAuthorization.ts';
import { causeOf } from '../../../api/error.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { Check, X } from '../../../ui/icons.ts';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/Time.tsx';
import { useDecideDevice } from '../api/deviceRequests.ts';
import { deviceTexts as texts } from '../deviceTexts.ts';

/** What a user decided about a request. */
export type Decision = 'approve' | 'reject';

const labels = {
  approve: { label: texts.approve, busy: texts.approving, Icon: Check },
  reject: { label: texts.reject, busy: texts.rejecting, Icon: X },
} as const;

type DecideProps = {
  userCode: string;
  decision: Decision;
  onDecided: (decision: Decision) => void;
  onFailed: (text: string) => void;
};

const Decide = ({ userCode, decision, onDecided, onFailed }: DecideProps) => {
  const change = useDecideDevice(userCode, decision);
  const { label, busy, Icon } = labels[decision];
  const press = () => {
    onFailed('');
    change.mutate(undefined, {
      onSuccess: () => onDecided(decision),
      onError: (error) => onFailed(causeOf(error, texts.decideFailed)),
    });
  };
  return (
    <BusyButton
      {...(decision === 'approve' ? { colorPalette: 'brand' } : { variant: 'outline' })}
      onClick={press}
      isBusy={change.isPending}
      busyLabel={busy}
    >
      <Icon aria-hidden />
      {label}
    </BusyButton>
  );
};

type CardProps = { request: DeviceRequest; onDecided: (decision: Decision) => void };

/** What a machine says about itself, for the user to compare with the terminal and to decide. */
export const DeviceRequestCard = ({ request, onDecided }: CardProps) => {
  const [failure, setFailure] = useState('');
  const { userCode, machineName, system, address, requestedAt, expiresAt, isSameAddress } = request;
  const shared = { userCode, onDecided, onFailed: setFailure };
  return (
    <Card as="section" aria-label={texts.request} maxW="560px">
      <CardHead title={texts.request} sub={texts.requestSub} />
      <Text
        textStyle="3xl"
        fontWeight="semibold"
        className="mono"
        textAlign="center"
        py="4"
        bg="bg.subtle"
        borderTopWidth="1px"
        borderColor="border.muted"
        aria-label={`${texts.code} ${userCode}`}
        role="img"
      >
        {userCode}
      </Text>
      <Facts>
        <Fact label={texts.facts.machine}>{machineName ?? texts.unknown}</Fact>
        <Fact label={texts.facts.system}>{system ?? texts.unknown}</Fact>
        <Fact label={texts.facts.address}>{address ?? texts.unknown}</Fact>
        <Fact label={texts.facts.requested}>
          <Time at={requestedAt} />
        </Fact>
        <Fact label={texts.facts.expires}>
          <Time at={expiresAt} />
        </Fact>
      </Facts>
      <Flex direction="column" gap="3" px={{ base: '4', md: '5' }} pb="4">
        {!isSameAddress && <Banner tone="warning">{texts.elsewhere}</Banner>}
        {failure && <Banner tone="error">{failure}</Banner>}
        <Text textStyle="sm" color="fg.subtle">
          {texts.effect}
        </Text>
      </Flex>
      <Flex
        gap="2.5"
        justify="flex-end"
        px={{ base: '4', md: '5' }}
        py="3"
        borderTopWidth="1px"
        borderColor="border.muted"
        bg="bg.subtle"
        css={{ '& > *': { flexGrow: { base: 1, md: 0 } } }}
      >
        <Decide {...shared} decision="reject" />
        <Decide {...shared} decision="approve" />
      </Flex>
    </Card>
  );
};
