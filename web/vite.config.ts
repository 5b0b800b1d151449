import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env.API_URL ?? 'http://127.0.0.1:3000';

/** Modules of these packages. */
const packages = (...names: string[]): RegExp => new RegExp(`/node_modules/(${names.join('|')})/`);
const anyOf =
  (...patterns: RegExp[]) =>
  (module: string): boolean =>
    patterns.some((pattern) => pattern.test(module));

export default defineConfig({
  plugins: [react()],
  resolve: {
    // Its exports always lead to the build that warns developers.
    alias: [
      {
        find: /^react-router$/,
        replacement: fileURLToPath(new URL('../node_modules/react-router/dist/production/index.mjs', import.meta.url)),
      },
    ],
  },
  server: {
    port: 5173,
    fs: { allow: ['..'] },
    proxy: {
      '/api': { target: server },
      '/monitoring': { target: server },
      '/socket.io': { target: server, ws: true },
    },
  },
  build: {
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: packages('react', 'react-dom', 'scheduler'), priority: 40 },
            {
              name: 'chakra',
              test: anyOf(
                packages('@emotion', 'stylis', 'react-router', 'react-router-dom', '@pandacss', 'hoist-non-react-statics'),
                /@chakra-ui\/react\/dist\/esm\/(styled-system|preset-base|utils|merge-|create-context)/,
                /@chakra-ui\/react\/dist\/esm\/components\/(box|flex|center|stack|text|button|spinner|simple-grid|grid)\//,
              ),
              priority: 30,
            },
            { name: 'zod', test: anyOf(packages('zod'), /src\/contracts\/(?!topics)/), minShareCount: 2, priority: 25 },
            {
              // What the landing page and the sign-ins need, and every area after them.
              name: 'core',
              test: anyOf(
                /web\/src\/(app\/(areas|lazyScreen|preload)|branding\/|theme\/|api\/(?!queryClients|useChange|ids))/,
                /web\/src\/ui\/(BackLink|Card|ColorModeButton|Logo|PageHead|colorMode|controls|notify|Toasts)\./,
                /lucide-react\/dist\/esm\/(?!icons)/,
              ),
              priority: 24,
            },
            { name: 'icons', test: packages('lucide-react'), minShareCount: 3, priority: 23 },
            { name: 'query', test: anyOf(packages('@tanstack'), /web\/src\/api\/queryClients/), priority: 22 },
            {
              // What lists and tables need; other parts of the screens come with those that use them.
              name: 'lists',
              test: /web\/src\/ui\/(DataTable|FilterBar|Pagination|QueryView|SeatMeter|Who|badges|dialogs|format|key|listAddress|media|rows|seats|states)\./,
              priority: 20,
            },
            { name: 'dialog', test: packages('@zag-js', '@ark-ui'), priority: 12 },
          ],
        },
      },
    },
  },
});
