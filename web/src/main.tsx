import './boot.css';
import { ChakraProvider } from '@chakra-ui/react';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import './app/goingBack.ts';
import { App } from './app/App.tsx';
import { followOtherWindows } from './app/otherWindows.ts';
import { preloadPage } from './app/preload.ts';
import { validateStoredSessions } from './app/storedSessions.ts';
import { system } from './theme/system.ts';
import { Toasts } from './ui/Toasts.tsx';

followOtherWindows();

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

void preloadPage(location.pathname, location.search).then(start, start);
validateStoredSessions(location.pathname);
