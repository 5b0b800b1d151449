import { Box, Portal, Toast, Toaster } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, X } from './icons.ts';
import { toaster } from './toaster.ts';

const iconOf = (type: string | undefined) => (type === 'success' ? CircleCheck : type === 'error' ? CircleAlert : Info);

export const ToastHost = () => (
  <Portal>
    <Toaster toaster={toaster} insetInline="4">
      {(toast) => {
        const Icon = iconOf(toast.type);
        return (
          <Toast.Root key={toast.id} width={{ base: 'calc(100vw - 32px)', md: '360px' }}>
            <Box asChild flexShrink="0" color="var(--tint)" mt="1px" boxSize="4.5">
              <Icon aria-hidden />
            </Box>
            <Toast.Title flex="1">{toast.title}</Toast.Title>
            <Toast.CloseTrigger aria-label="Dismiss">
              <X aria-hidden />
            </Toast.CloseTrigger>
          </Toast.Root>
        );
      }}
    </Toaster>
  </Portal>
);
