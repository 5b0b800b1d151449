import './boot.css';
import { ChakraProvider } from '@chakra-ui/react';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import './lib/historyInterceptor.ts';
import { App } from './app/App.tsx';
import { preloader } from './app/preload.ts';
import { openSignInWhenSignedOut } from './session/signedOut.ts';
import { followOtherWindows, validateStoredSessions } from './session/storedTokens.ts';
import { system } from './theme/system.ts';
import { Toasts } from './ui/Toasts.tsx';

followOtherWindows();
openSignInWhenSignedOut();

const start = (): void => {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no element with the id root');
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ChakraProvider value={system}>
          <App />
          <Toasts />
        </ChakraProvider>
      </StrictMode>,
    ),
  );
};

void preloader.page(location.pathname, location.search).then(start, start);
validateStoredSessions(location.pathname);
