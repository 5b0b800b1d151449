import { Box, Button, Center, Spinner } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { OpenInvitationReply } from '../../../../../src/contracts/team.ts';
import { causeOf, isApiError } from '../../../api/error.ts';
import { lazyComponent } from '../../../lib/lazyScreen.tsx';
import { ColorModeButton } from '../../../ui/ColorModeButton.tsx';
import { Link } from '../../../ui/Link.tsx';
import { useTitle } from '../../../ui/PageHead.tsx';
import { openInvitation } from '../api/join.ts';
import { joinTexts as texts } from '../texts.ts';
import { Frame } from './Frame.tsx';

const Pending = () => (
  <Center minH="240px" role="status" aria-label={texts.loading}>
    <Spinner />
  </Center>
);

// Loaded while the invitation is read.
const JoinForm = lazyComponent(async () => (await import('./JoinForm.tsx')).JoinForm, Pending);
const Joined = lazyComponent(async () => (await import('./Joined.tsx')).Joined, Pending);

const Home = () => (
  <Button asChild variant="outline">
    <Link to="/">{texts.home}</Link>
  </Button>
);

/** An invitation that cannot be accepted, or that could not be read. */
const Refused = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const code = isApiError(error) ? error.code : '';
  const isFinal = code === 'invitation_not_found' || code === 'invitation_expired' || code === 'validation_failed';
  const title =
    code === 'validation_failed'
      ? texts.noToken
      : code === 'invitation_expired'
        ? texts.expired
        : isFinal
          ? texts.notFound
          : texts.openFailed;
  return (
    <Frame
      title={title}
      sub={<span role="alert">{code === 'validation_failed' ? texts.noTokenHint : causeOf(error, texts.openFailed)}</span>}
      footer={
        isFinal ? (
          <Home />
        ) : (
          <Button variant="outline" onClick={onRetry}>
            {texts.tryAgain}
          </Button>
        )
      }
    />
  );
};

const Invitation = ({ token }: { token: string }) => {
  const [invitation, setInvitation] = useState<OpenInvitationReply>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  // Undefined until the invitation is accepted.
  const [codes, setCodes] = useState<readonly string[] | null>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads the invitation again
  useEffect(() => {
    let isShown = true;
    JoinForm.preload();
    setError(undefined);
    openInvitation(token).then(
      (reply) => isShown && setInvitation(reply),
      (failure: unknown) => isShown && setError(failure),
    );
    return () => {
      isShown = false;
    };
  }, [token, attempt]);

  if (error !== undefined) return <Refused error={error} onRetry={() => setAttempt(attempt + 1)} />;
  if (!invitation) {
    return (
      <Frame title={texts.title}>
        <Pending />
      </Frame>
    );
  }
  const { name, role, tenant } = invitation;
  if (codes !== undefined) {
    return (
      <Frame title={texts.joined} sub={texts.joinedSub(tenant.name)}>
        <Joined invitation={invitation} codes={codes} />
      </Frame>
    );
  }
  return (
    <Frame title={texts.heading(tenant.name)} sub={texts.invited(name, texts.roles[role])}>
      <JoinForm token={token} invitation={invitation} onJoined={setCodes} />
    </Frame>
  );
};

/** Accepts an invitation. The link contains its token after the #, which is removed from the address immediately. */
export const JoinScreen = () => {
  useTitle(texts.title);
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState('');
  const linked = hash.slice(1);
  if (linked !== '' && linked !== token) setToken(linked);
  useEffect(() => {
    if (hash !== '') void navigate('/join', { replace: true });
  }, [hash, navigate]);
  return (
    <Center as="main" minH="100dvh" px="4" py="8">
      <Box position="absolute" top="4" insetEnd="4">
        <ColorModeButton />
      </Box>
      <Box w="full" maxW="480px">
        {token === '' ? (
          <Frame title={texts.noToken} sub={texts.noTokenHint} footer={<Home />} />
        ) : (
          <Invitation key={token} token={token} />
        )}
      </Box>
    </Center>
  );
};
