import { Allowed } from '../../../session/permissions.tsx';
import { Time } from '../../../ui/Time.tsx';
import '../../../ui/cards.css';
import { Box, Flex, Text } from '@chakra-ui/react';
import { memo } from 'react';
import type { Credential } from '../../../../../src/contracts/credentials.ts';
import { messageOf } from '../../../api/error.ts';
import { useCustomerSession } from '../../../session/session.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Card } from '../../../ui/Card.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ItemAction } from '../../../ui/ItemAction.tsx';
import { CircleAlert, Pencil, Trash2, Zap } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { Who } from '../../../ui/Who.tsx';
import { useTestCredential } from '../api/credentials.ts';
import { credentialTexts as texts } from '../texts.ts';
import { CredentialStatus } from './CredentialStatus.tsx';

const { facts, services } = texts;

const EditCredentialModal = lazyDialog(async () => (await import('./EditCredentialModal.tsx')).EditCredentialModal);
const DeleteCredentialDialog = lazyDialog(async () => (await import('./DeleteCredentialDialog.tsx')).DeleteCredentialDialog);

const TestButton = ({ credential, name }: { credential: Credential; name: string }) => {
  const test = useTestCredential(useCustomerSession().id);
  const press = () =>
    test.mutate(credential.id, {
      onSuccess: (reply) => (reply.success ? notify.success(texts.tested) : notify.error(reply.error || texts.testFailed)),
      onError: (error) => notify.error(messageOf(error, texts.testCallFailed)),
    });
  return (
    <BusyButton size="xs" variant="outline" aria-label={name} onClick={press} isBusy={test.isPending} busyLabel={texts.testing}>
      <Zap aria-hidden />
      {texts.test}
    </BusyButton>
  );
};

const Actions = ({ credential }: { credential: Credential }) => {
  const edit = useDialog();
  const remove = useDialog();
  const nameOf = (action: string) => texts.actionsOf(action, services[credential.service], credential.instanceUrl);
  return (
    <Flex gap="2" wrap="wrap">
      <TestButton credential={credential} name={nameOf(texts.test)} />
      <ItemAction label={texts.edit} name={nameOf(texts.edit)} icon={Pencil} onPress={edit.open} opens={EditCredentialModal} />
      <ItemAction
        label={texts.delete}
        name={nameOf(texts.delete)}
        icon={Trash2}
        onPress={remove.open}
        opens={DeleteCredentialDialog}
        isDestructive
      />
      <EditCredentialModal dialog={edit} credential={credential} />
      <DeleteCredentialDialog dialog={remove} credential={credential} />
    </Flex>
  );
};

/** Why its last test failed, and what to do. */
const Reason = ({ text }: { text: string }) => (
  <Flex gap="2" mt="3" px="3" py="2" borderRadius="l2" bg="bg.error" color="red.fg" textStyle="xs">
    <Box asChild flexShrink="0" mt="1px">
      <CircleAlert size={14} aria-hidden />
    </Box>
    <Box minW="0" overflowWrap="anywhere">
      <Text fontWeight="medium">{text}</Text>
      <Text>{texts.afterFailure}</Text>
    </Box>
  </Flex>
);

/** One login to a third-party service, without its secrets. */
export const CredentialCard = memo(({ credential }: { credential: Credential }) => (
  <Card as="li" display="flex" flexDirection="column" aria-label={`${services[credential.service]} ${credential.instanceUrl}`}>
    <Box px={{ base: '4', md: '5' }} pt="4" pb="4" flex="1">
      <Who
        name={services[credential.service]}
        detail={credential.instanceUrl}
        right={<CredentialStatus status={credential.status} />}
      />
      {credential.reason && <Reason text={credential.reason} />}
      <dl className="card-facts">
        <div>
          <dt>{facts.username}</dt>
          <dd title={credential.username}>{credential.username}</dd>
        </div>
        <div>
          <dt>{facts.lastUsed}</dt>
          <dd>
            <Time at={credential.lastUsed} />
          </dd>
        </div>
        {credential.service === 'jira' && (
          <div>
            <dt>{facts.apiToken}</dt>
            <dd>{credential.hasApiToken ? texts.tokenSet : texts.tokenNone}</dd>
          </div>
        )}
        <div>
          <dt>{facts.expires}</dt>
          <dd>{credential.expiresAt ? <Time at={credential.expiresAt} as="date" /> : texts.neverExpires}</dd>
        </div>
      </dl>
    </Box>
    <Allowed to="credentials:write">
      <Box px={{ base: '4', md: '5' }} py="3" borderTopWidth="1px" borderColor="border.muted" bg="bg.subtle">
        <Actions credential={credential} />
      </Box>
    </Allowed>
  </Card>
));
