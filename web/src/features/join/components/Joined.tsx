import { Box, Button, Text } from '@chakra-ui/react';
import type { OpenInvitationReply } from '../../../../../src/contracts/team.ts';
import { loginPath } from '../../../areas.ts';
import { Link } from '../../../ui/Link.tsx';
import { RecoveryCodes } from '../../secondFactor/index.ts';
import { joinTexts as texts } from '../texts.ts';

const AREA_OF = { administration: 'admin', integrator: 'integrator', customer: 'portal' } as const;

/** The sign-in of the area that the invitation is for. */
const signInPath = ({ tenant }: OpenInvitationReply): string => `${loginPath[AREA_OF[tenant.kind]]}#account`;

type JoinedProps = { invitation: OpenInvitationReply; codes: readonly string[] | null };

/** What follows an accepted invitation: the recovery codes, which are shown once, and the sign-in. */
export const Joined = ({ invitation, codes }: JoinedProps) => (
  <>
    {codes && (
      <Box mb="5">
        <Text as="h2" textStyle="md" fontWeight="semibold" mb="1">
          {texts.keepCodes}
        </Text>
        <RecoveryCodes codes={codes} account={invitation.email} />
      </Box>
    )}
    <Button asChild size="lg" colorPalette="brand" w="full">
      <Link to={signInPath(invitation)} replace>
        {texts.signIn}
      </Link>
    </Button>
  </>
);
