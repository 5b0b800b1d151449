import { Button, chakra, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { ofUserCode } from '../../../../../src/contracts/deviceAuthorization.ts';
import { causeOf } from '../../../api/error.ts';
import { accountSignInPath } from '../../../areas.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { rememberPath } from '../../../session/returnPath.ts';
import { useCustomerRole } from '../../../session/session.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { FieldFrame, Input } from '../../../ui/controls.tsx';
import { Check, Server, X } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Empty, Loading } from '../../../ui/states.tsx';
import { deviceRequestQuery } from '../api/deviceRequests.ts';
import { deviceTexts as texts } from '../deviceTexts.ts';
import { type Decision, DeviceRequestCard } from './DeviceRequestCard.tsx';

const WIDTH = '560px';

/** The code in any spelling that the server accepts, as it sends it; null for what is none. */
const codeIn = (typed: string): string | null => ofUserCode.safeParse({ userCode: typed }).data?.userCode ?? null;

type CodeFormProps = { initial: string; rejection: string; onCode: (code: string) => void };

const CodeForm = ({ initial, rejection, onCode }: CodeFormProps) => {
  const [typed, setTyped] = useState(initial);
  const [error, setError] = useState(rejection);
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const code = codeIn(typed);
    if (code !== null) return onCode(code);
    setError(typed.trim() === '' ? texts.codeMissing : texts.codeWrong);
    input.current?.focus();
  };
  return (
    <Card as="section" aria-label={texts.enter} maxW={WIDTH}>
      <CardHead title={texts.enter} sub={texts.enterSub} />
      <chakra.form noValidate onSubmit={submit} px={{ base: '4', md: '5' }} pb="5">
        <FieldFrame label={texts.code} error={error} hint={texts.codeHint} saysOptional={false}>
          <Input
            ref={input}
            size="lg"
            name="userCode"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            fontFamily="mono"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value.toUpperCase());
              setError('');
            }}
          />
        </FieldFrame>
        <Button type="submit" colorPalette="brand" mt="4" w={{ base: 'full', md: 'auto' }}>
          {texts.next}
        </Button>
      </chakra.form>
    </Card>
  );
};

const Decided = ({ decision, onAnother }: { decision: Decision; onAnother: () => void }) => (
  <Card as="section" role="status" maxW={WIDTH}>
    <Empty
      icon={decision === 'approve' ? Check : X}
      title={decision === 'approve' ? texts.approved : texts.rejected}
      hint={decision === 'approve' ? texts.approvedHint : texts.rejectedHint}
      action={
        <Flex gap="2.5" wrap="wrap" justify="center">
          <Button asChild size="sm" variant="outline">
            <Link to="/portal/my-machines">{texts.machines}</Link>
          </Button>
          <Button size="sm" variant="outline" onClick={onAnother}>
            {texts.another}
          </Button>
        </Flex>
      }
    />
  </Card>
);

/** The request of the code in the address, or the form for a code. */
const Request = () => {
  const [search, setSearch] = useSearchParams();
  const given = search.get('code') ?? '';
  const code = codeIn(given);
  const [decision, setDecision] = useState<Decision | null>(null);
  const { data, error, isFetching } = useQuery({
    ...deviceRequestQuery(code ?? ''),
    enabled: code !== null && decision === null,
  });
  const open = (next: string | null): void => {
    setDecision(null);
    setSearch(next === null ? {} : { code: next }, { replace: true });
  };
  if (decision !== null) return <Decided decision={decision} onAnother={() => open(null)} />;
  if (code !== null && data) return <DeviceRequestCard request={data.request} onDecided={setDecision} />;
  if (code !== null && isFetching) return <Loading label={texts.loading} />;
  const rejection = code === null ? given && texts.codeWrong : error ? causeOf(error, texts.loadFailed) : '';
  return <CodeForm key={rejection} initial={given} rejection={rejection} onCode={open} />;
};

const NoUser = () => {
  const location = useLocation();
  return (
    <Empty
      icon={Server}
      title={texts.byKey}
      hint={texts.byKeyHint}
      action={
        <Button asChild size="sm" colorPalette="brand">
          <Link to={accountSignInPath.portal} onClick={() => rememberPath(location)}>
            {texts.signIn}
          </Link>
        </Button>
      }
    />
  );
};

const Content = () => {
  const isNamed = useCustomerRole() !== null;
  const mayApprove = usePermission('ownMachines:approve');
  if (!isNamed) return <NoUser />;
  return mayApprove ? <Request /> : <Empty icon={Server} title={texts.noAccess} hint={texts.noAccessHint} />;
};

/** Where a named user approves the sign-in of `latchkey login` on a machine. */
export const DeviceScreen = () => (
  <>
    <PageHead title={texts.title} sub={texts.sub} />
    <Content />
  </>
);
