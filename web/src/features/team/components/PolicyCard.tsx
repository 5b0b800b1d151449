import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { ChangePolicyBody, TeamPolicy } from '../../../../../src/contracts/team.ts';
import { causeOf } from '../../../api/error.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { notify } from '../../../ui/notify.ts';
import { Switch } from '../../../ui/Switch.tsx';
import { Banner } from '../../../ui/states.tsx';
import { type OwnTeam, useChangePolicy } from '../api/team.ts';
import { teamTexts as texts } from '../texts.ts';

const ConfirmDialog = lazyDialog(async () => (await import('../../../ui/ConfirmDialog.tsx')).ConfirmDialog);

type PolicyProps = { team: OwnTeam; policy: TeamPolicy };

const ReadOnly = ({ team, policy }: PolicyProps) => (
  <Facts>
    <Fact label={texts.keySignIn[team.kind]}>{policy.keySignIn === 'allowed' ? texts.allowed : texts.off}</Fact>
    <Fact label={texts.secondFactor}>{policy.secondFactorRequired ? texts.required : texts.notRequired}</Fact>
  </Facts>
);

/** The switches of the policy. A refusal of the server is shown above them until the next change. */
const Switches = ({ team, policy }: PolicyProps) => {
  const change = useChangePolicy(team);
  const confirm = useDialog();
  const [refusal, setRefusal] = useState<string>();
  const shown = { ...policy, ...(change.isPending && change.variables) };
  const save = (body: ChangePolicyBody) => {
    setRefusal(undefined);
    change.mutate(body, {
      onSuccess: () => {
        notify.success(texts.policySaved);
        confirm.close();
      },
      onError: (error) => {
        setRefusal(causeOf(error, texts.policyFailed));
        confirm.close();
      },
    });
  };
  return (
    <Flex direction="column" gap="4" px={{ base: '4', md: '5' }} pb="5">
      {refusal && <Banner tone="error">{refusal}</Banner>}
      <Switch
        label={texts.keySignIn[team.kind]}
        hint={texts.keySignInHint}
        checked={shown.keySignIn === 'allowed'}
        aria-busy={change.isPending}
        onChange={({ target }) => (target.checked ? save({ keySignIn: 'allowed' }) : confirm.open())}
      />
      <Switch
        label={texts.secondFactor}
        hint={texts.secondFactorHint}
        checked={shown.secondFactorRequired}
        aria-busy={change.isPending}
        onChange={({ target }) => save({ secondFactorRequired: target.checked })}
      />
      <ConfirmDialog
        dialog={confirm}
        title={texts.keyOffTitle}
        confirmLabel={texts.keyOff}
        busyLabel={texts.turningOff}
        isBusy={change.isPending}
        onConfirm={() => save({ keySignIn: 'off' })}
      >
        {texts.keyOffQuestion}
      </ConfirmDialog>
    </Flex>
  );
};

/** How the members of the team sign in. */
export const PolicyCard = (props: PolicyProps) => {
  const mayChange = usePermission('policy:write');
  return (
    <Card as="section" aria-label={texts.policy}>
      <CardHead title={texts.policy} sub={texts.policySub} />
      {mayChange ? <Switches {...props} /> : <ReadOnly {...props} />}
    </Card>
  );
};
