import { Button, Flex } from '@chakra-ui/react';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { FinishOpenIdBody } from '../../../../../src/contracts/identityProvider.ts';
import { messageOf } from '../../../api/error.ts';
import { type Area, loginPath } from '../../../areas.ts';
import { isProof, reportProof, returnedIn } from '../../../session/openIdReturn.ts';
import { keepPath } from '../../../session/returnPath.ts';
import { FieldFrame, Input } from '../../../ui/controls.tsx';
import { PageSpinner } from '../../../ui/PageSpinner.tsx';
import { Banner } from '../../../ui/states.tsx';
import { beginOpenId, finishOpenId } from '../api/signIn.ts';
import { authTexts } from '../texts.ts';
import { useSignedIn } from './useSignedIn.ts';

const isProofReturned = (search: string): boolean => {
  const returned = returnedIn(search);
  return returned !== null && isProof(returned);
};

/** Sign-in at the identity provider of the email address's domain, before the browser goes there and after it is back. */
export const OpenIdForm = ({ area }: { area: Area }) => {
  const signedIn = useSignedIn(area);
  const navigate = useNavigate();
  const { search } = useLocation();
  const [email, setEmail] = useState('');
  const [error, setError] = useState('');
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isReturning, setReturning] = useState(() => returnedIn(search) !== null);
  const input = useRef<HTMLInputElement>(null);
  const isStarted = useRef(false);

  const complete = async (returned: FinishOpenIdBody): Promise<void> => {
    try {
      await finishOpenId(area, returned);
      await signedIn();
    } catch (thrown) {
      setFailure(messageOf(thrown, authTexts.failed));
      setReturning(false);
      // The parameters work once: a reload must not send them again.
      await navigate(`${loginPath[area]}#openid`, { replace: true });
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parameters are those of the page's address when it was opened
  useEffect(() => {
    const returned = returnedIn(search);
    if (returned === null || isStarted.current) return;
    isStarted.current = true;
    if (isProof(returned)) reportProof(returned);
    else void complete(returned);
  }, []);

  const refuse = (text: string): void => {
    setError(text);
    input.current?.focus();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setFailure('');
    if (email.trim() === '') return refuse(authTexts.emailMissing);
    setBusy(true);
    try {
      const address = await beginOpenId(area, email.trim());
      keepPath(area);
      location.assign(address);
    } catch (thrown) {
      refuse(messageOf(thrown, authTexts.failed));
      setBusy(false);
    }
  };

  if (isReturning) return isProofReturned(search) ? <Banner tone="info">{authTexts.openIdProved}</Banner> : <PageSpinner />;
  return (
    <form noValidate onSubmit={submit}>
      <Flex direction="column" gap="4">
        {failure && <Banner tone="error">{failure}</Banner>}
        <FieldFrame label={authTexts.email} error={error} saysOptional={false}>
          <Input
            ref={input}
            size="lg"
            type="email"
            name="email"
            autoComplete="username"
            autoFocus
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              setError('');
            }}
          />
        </FieldFrame>
        <Button type="submit" size="lg" colorPalette="brand" w="full" loading={isBusy} loadingText={authTexts.openIdSubmitting}>
          {authTexts.openIdSubmit}
        </Button>
      </Flex>
    </form>
  );
};
