import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import type { ChangePolicyBody, TeamPolicy } from '../../../../../src/contracts/team.ts';
import { causeOf } from '../../../api/error.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { FieldFrame, Select } from '../../../ui/controls.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { notify } from '../../../ui/notify.ts';
import { Switch } from '../../../ui/Switch.tsx';
import { Banner } from '../../../ui/states.tsx';
import { LastChange } from '../../history/index.ts';
import { useChangePolicy } from '../api/team.ts';
import type { OwnTeam } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';

const ConfirmDialog = lazyDialog(async () => (await import('../../../ui/ConfirmDialog.tsx')).ConfirmDialog);

type PolicyProps = { team: OwnTeam; policy: TeamPolicy };

const ReadOnly = ({ team, policy }: PolicyProps) => (
  <Facts>
    <Fact label={texts.keySignIn[team.kind]}>{texts.keySignInValues[policy.keySignIn]}</Fact>
    <Fact label={texts.secondFactor}>{policy.secondFactorRequired ? texts.required : texts.notRequired}</Fact>
  </Facts>
);

type KeySignIn = TeamPolicy['keySignIn'];

const KEY_SIGN_INS: readonly KeySignIn[] = ['allowed', 'break_glass', 'off'];

/** The values that end sessions, so that they are confirmed first. */
const CONFIRMED = {
  off: { title: texts.keyOffTitle, question: texts.keyOffQuestion, confirm: texts.keyOff, busy: texts.turningOff },
  break_glass: {
    title: texts.keyEmergencyTitle,
    question: texts.keyEmergencyQuestion,
    confirm: texts.keyEmergency,
    busy: texts.savingPolicy,
  },
} as const;

/** The controls of the policy. A refusal of the server is shown above them until the next change. */
const Controls = ({ team, policy }: PolicyProps) => {
  const change = useChangePolicy(team);
  /** What is asked about: the select shows it until the dialog closes. */
  const [asked, setAsked] = useState<keyof typeof CONFIRMED>('off');
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
  const choose = (text: string) => {
    const value = KEY_SIGN_INS.find((known) => known === text);
    if (value === undefined || value === policy.keySignIn) return;
    if (value === 'allowed') return save({ keySignIn: value });
    setAsked(value);
    confirm.open();
  };
  return (
    <Flex direction="column" gap="4" px={{ base: '4', md: '5' }} pb="5">
      {refusal && <Banner tone="error">{refusal}</Banner>}
      <FieldFrame label={texts.keySignIn[team.kind]} hint={texts.keySignInHint} isRequired>
        <Select
          value={confirm.isOpen ? asked : shown.keySignIn}
          aria-busy={change.isPending}
          onChange={({ target }) => choose(target.value)}
        >
          {KEY_SIGN_INS.map((value) => (
            <option key={value} value={value}>
              {texts.keySignInValues[value]}
            </option>
          ))}
        </Select>
      </FieldFrame>
      <Switch
        label={texts.secondFactor}
        hint={texts.secondFactorHint}
        checked={shown.secondFactorRequired}
        aria-busy={change.isPending}
        onChange={({ target }) => save({ secondFactorRequired: target.checked })}
      />
      <ConfirmDialog
        dialog={confirm}
        title={CONFIRMED[asked].title}
        confirmLabel={CONFIRMED[asked].confirm}
        busyLabel={CONFIRMED[asked].busy}
        isBusy={change.isPending}
        onConfirm={() => save({ keySignIn: asked })}
      >
        {CONFIRMED[asked].question}
      </ConfirmDialog>
    </Flex>
  );
};

/** How the members of the team sign in. */
export const PolicyCard = (props: PolicyProps) => {
  const mayChange = usePermission('policy:write');
  return (
    <Card as="section" aria-label={texts.policy}>
      <CardHead
        title={texts.policy}
        sub={
          <>
            {texts.policySub}
            <LastChange source={props.team.history} type="SignInPolicyChanged" />
          </>
        }
      />
      {mayChange ? <Controls {...props} /> : <ReadOnly {...props} />}
    </Card>
  );
};
