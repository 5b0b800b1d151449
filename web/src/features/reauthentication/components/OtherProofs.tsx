import { Button, Flex } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import type { ReauthenticationReply } from '../../../../../src/contracts/sessions.ts';
import { messageOf } from '../../../api/error.ts';
import { awaitProof } from '../../../session/openIdReturn.ts';
import { KeyRound, ShieldCheck } from '../../../ui/icons.ts';
import { Banner } from '../../../ui/states.tsx';
import { signWithPasskey, whyNoPasskeys } from '../../passkeys/index.ts';
import { beginProof, confirmSession, passkeyOptions } from '../api/reauthentication.ts';
import { reauthenticationTexts as texts } from '../texts.ts';

type OtherProofsProps = { methods: ReauthenticationReply['methods']; onConfirmed: () => void };
type Busy = 'passkey' | 'openid' | null;

const WINDOW = 'popup,width=520,height=720';

/** What confirms the session without a field of a form: a passkey, or a sign-in at the identity provider in a window of its own. */
export const OtherProofs = ({ methods, onConfirmed }: OtherProofsProps) => {
  const [busy, setBusy] = useState<Busy>(null);
  const [failure, setFailure] = useState('');
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const attempt = async (kind: Busy, work: () => Promise<void>): Promise<void> => {
    setFailure('');
    setBusy(kind);
    try {
      await work();
    } catch (error) {
      setFailure(messageOf(error, texts.failed));
      setBusy(null);
    }
  };

  const byPasskey = () =>
    attempt('passkey', async () => {
      const assertion = await signWithPasskey(await passkeyOptions());
      await confirmSession({ method: 'passkey', assertion });
      onConfirmed();
    });

  const byOpenId = () => {
    // Opened before anything is awaited, or the browser blocks it.
    const opened = window.open('', '_blank', WINDOW);
    return attempt('openid', async () => {
      const url = await beginProof().catch((error: unknown) => {
        opened?.close();
        throw error;
      });
      stop.current?.();
      stop.current = awaitProof(new URL(url).searchParams.get('state') ?? '', (returned) => {
        stop.current?.();
        void attempt('openid', async () => {
          await confirmSession({ method: 'openid', returned });
          onConfirmed();
        });
      });
      if (opened) opened.location.replace(url);
      else setFailure(texts.windowBlocked);
      // The user may have closed the window, and start again.
      setBusy(null);
    });
  };

  return (
    <Flex direction="column" gap="3">
      {failure && <Banner tone="error">{failure}</Banner>}
      {methods.includes('passkey') && whyNoPasskeys() === null && (
        <Button type="button" variant="outline" loading={busy === 'passkey'} loadingText={texts.confirming} onClick={byPasskey}>
          <KeyRound aria-hidden />
          {texts.withPasskey}
        </Button>
      )}
      {methods.includes('openid') && (
        <Button type="button" variant="outline" loading={busy === 'openid'} loadingText={texts.confirming} onClick={byOpenId}>
          <ShieldCheck aria-hidden />
          {texts.withOpenId}
        </Button>
      )}
    </Flex>
  );
};
