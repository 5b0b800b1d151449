import type { CDPSession, Page } from 'playwright-core';

/** An authenticator that is plugged into a page's browser. */
export type PluggedAuthenticator = Readonly<{
  /** Whether it recognises its user from now on. */
  verify: (isUserVerified: boolean) => Promise<unknown>;
  unplug: () => Promise<unknown>;
}>;

/** Lets a page use virtual authenticators. */
export const enableAuthenticators = async (page: Page): Promise<CDPSession> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  return cdp;
};

/** Adds an authenticator that stores passkeys, whose user is always present. */
export const plugIn = async (cdp: CDPSession, transport: 'internal' | 'usb' = 'internal'): Promise<PluggedAuthenticator> => {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verify: (isUserVerified) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    unplug: () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  };
};
