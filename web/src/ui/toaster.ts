import { createToaster } from '@chakra-ui/react';

/** Below the header, so that Logout stays within reach. */
const BELOW_HEADER = '68px';

export const toaster = createToaster({
  placement: 'top-end',
  max: 20,
  gap: 10,
  pauseOnPageIdle: true,
  offsets: { top: BELOW_HEADER, right: '16px', left: '16px', bottom: '16px' },
});
