import { Button, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { IdentityProviderReply } from '../../../../../src/contracts/identityProvider.ts';
import { causeOf } from '../../../api/error.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { notify } from '../../../ui/notify.ts';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Banner } from '../../../ui/states.tsx';
import { LastChange } from '../../history/index.ts';
import { identityProviderQuery, useRemoveProvider, useVerifyDomains } from '../api/identityProvider.ts';
import { openIdTexts as texts } from '../openIdTexts.ts';
import type { OwnTeam } from '../ownTeam.ts';

const HEIGHT = '120px';

const ProviderModal = lazyDialog(async () => (await import('./ProviderModal.tsx')).ProviderModal);
const ConfirmDialog = lazyDialog(async () => (await import('../../../ui/ConfirmDialog.tsx')).ConfirmDialog);

type Provider = NonNullable<IdentityProviderReply['provider']>;

const ProviderFacts = ({ provider, record }: { provider: Provider; record: string }) => (
  <Facts>
    <Fact label={texts.fields.issuer}>{provider.issuer}</Fact>
    <Fact label={texts.fields.clientId}>{provider.clientId}</Fact>
    {provider.domains.map(({ domain, verifiedAt }) => (
      <Fact key={domain} label={domain}>
        {verifiedAt ? texts.verified : texts.notVerified}
      </Fact>
    ))}
    <Fact label={texts.record}>
      {record}
      <CopyButton text={record} label={texts.copyRecord} />
    </Fact>
  </Facts>
);

/** Looks the records of the domains up now, and shows what is wrong with them. */
const VerifyButton = ({ team }: { team: OwnTeam }) => {
  const verify = useVerifyDomains(team);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const start = () =>
    verify.mutate(null, {
      onSuccess: ({ domains }) => setProblems(domains.filter(({ verified }) => !verified).map(({ detail }) => detail)),
      onError: (error) => setProblems([causeOf(error, texts.verifyFailed)]),
    });
  return (
    <>
      {problems.map((problem) => (
        <Banner key={problem} tone="error">
          {problem}
        </Banner>
      ))}
      <Text textStyle="sm" color="fg.muted">
        {texts.recordHint}
      </Text>
      <Flex>
        <BusyButton variant="outline" isBusy={verify.isPending} busyLabel={texts.verifying} onClick={start}>
          {texts.verify}
        </BusyButton>
      </Flex>
    </>
  );
};

const Content = ({ team, reply }: { team: OwnTeam; reply: IdentityProviderReply }) => {
  const mayChange = usePermission('policy:write');
  const remove = useRemoveProvider(team);
  const edit = useDialog();
  const confirm = useDialog();
  const { provider, record } = reply;
  const onConfirm = () =>
    remove.mutate(null, {
      onSuccess: () => {
        notify.success(texts.removed);
        confirm.close();
      },
      onError: (error) => {
        notify.error(causeOf(error, texts.removeFailed));
        confirm.close();
      },
    });
  return (
    <>
      {provider && <ProviderFacts provider={provider} record={record} />}
      <Flex direction="column" gap="3" px={{ base: '4', md: '5' }} pb="5">
        {!provider && (
          <Text textStyle="sm" color="fg.muted">
            {texts.none}
          </Text>
        )}
        {mayChange && (
          <>
            {provider?.domains.some(({ verifiedAt }) => verifiedAt === null) && <VerifyButton team={team} />}
            <Flex gap="2" wrap="wrap">
              <Button variant="outline" aria-haspopup="dialog" onClick={edit.open}>
                {provider ? texts.edit : texts.setUp}
              </Button>
              {provider && (
                <Button variant="outline" colorPalette="red" aria-haspopup="dialog" onClick={confirm.open}>
                  {texts.remove}
                </Button>
              )}
            </Flex>
            <ProviderModal dialog={edit} team={team} reply={reply} />
            <ConfirmDialog
              dialog={confirm}
              title={texts.removeTitle}
              confirmLabel={texts.remove}
              busyLabel={texts.removing}
              isBusy={remove.isPending}
              onConfirm={onConfirm}
            >
              {texts.removeQuestion}
            </ConfirmDialog>
          </>
        )}
      </Flex>
    </>
  );
};

/** Where the members of the team sign in with OpenID Connect. */
export const ProviderCard = ({ team }: { team: OwnTeam }) => {
  const query = useQuery(identityProviderQuery(team));
  return (
    <Card as="section" aria-label={texts.title}>
      <CardHead
        title={texts.title}
        sub={
          <>
            {texts.sub}
            <LastChange source={team.history} type="IdentityProviderConfigured,IdentityProviderRemoved" />
          </>
        }
      />
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
        {(reply) => <Content team={team} reply={reply} />}
      </QueryView>
    </Card>
  );
};
