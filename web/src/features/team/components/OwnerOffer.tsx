import { Box, Button, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePermission } from '../../../session/permissions.tsx';
import { useAdminSession } from '../../../session/session.ts';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { UserPlus } from '../../../ui/icons.ts';
import { Banner } from '../../../ui/states.tsx';
import { teamQuery } from '../api/team.ts';
import { administration } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';

const CreateAccountModal = lazyDialog(async () => (await import('./CreateAccountModal.tsx')).CreateAccountModal);

/** A cookie, because a sign-out clears the browser's storage but not its cookies. */
const DISMISSED = 'latchkey_owner_offer=dismissed';
const YEAR_S = 31_536_000;

const isDismissed = (): boolean => document.cookie.split('; ').includes(DISMISSED);
const dismiss = (): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers
  document.cookie = `${DISMISSED}; path=/; max-age=${YEAR_S}; samesite=strict`;
};

const Offer = ({ onDismiss }: { onDismiss: () => void }) => {
  const { data } = useQuery(teamQuery(administration));
  const dialog = useDialog();
  if (data?.members.length !== 0) return null;
  return (
    <Box mb="4">
      <Banner tone="info" icon={UserPlus}>
        <Flex align={{ md: 'center' }} justify="space-between" gap="3" direction={{ base: 'column', md: 'row' }}>
          <span>{texts.ownerOffer}</span>
          <Flex data-page-actions gap="2" flexShrink="0" my={{ md: '-1.5' }}>
            <OpenDialogButton dialog={dialog} preload={CreateAccountModal.preload} size="sm" colorPalette="brand" variant="solid">
              {texts.createAccount}
            </OpenDialogButton>
            <Button size="sm" variant="outline" onClick={onDismiss}>
              {texts.notNow}
            </Button>
          </Flex>
        </Flex>
      </Banner>
      <CreateAccountModal dialog={dialog} />
    </Box>
  );
};

/** Offers the holder of the admin key who signed in a personal account, while the administration has no named users. */
export const OwnerOffer = () => {
  const { role } = useAdminSession();
  const mayInvite = usePermission('members:write');
  const [isHidden, setHidden] = useState(isDismissed);
  if (role !== null || !mayInvite || isHidden) return null;
  const hide = () => {
    dismiss();
    setHidden(true);
  };
  return <Offer onDismiss={hide} />;
};
