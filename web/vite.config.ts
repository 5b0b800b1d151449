import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = process.env.API_URL ?? 'http://127.0.0.1:3000';

/** Modules of these packages. */
const packages = (...names: string[]): RegExp => new RegExp(`/node_modules/(${names.join('|')})/`);
const anyOf =
  (...patterns: RegExp[]) =>
  (module: string): boolean =>
    patterns.some((pattern) => pattern.test(module));

/** Makes every built `import()` call `loadChunk` instead of Vite's helper, whose failed requests a browser never repeats. */
const chunkLoader: Plugin = {
  name: 'latchkey:chunk-loader',
  enforce: 'pre',
  load: {
    filter: { id: /^\0vite\/preload-helper\.js$/ },
    handler: () =>
      `export { loadChunk as __vitePreload } from ${JSON.stringify(fileURLToPath(new URL('src/lib/loadChunk.ts', import.meta.url)))}`,
  },
};

/**
 * Marks what the router creates at its top level as free of side effects, so that its parts that are not used are left out:
 * forms, fetchers, scroll restoration.
 */
const pureRouter: Plugin = {
  name: 'latchkey:pure-router',
  transform: {
    filter: { id: /\/react-router\/dist\/production\// },
    handler: (code) => ({
      code: code
        .replace(/^\w+\.displayName = "[^"]*";$/gm, '')
        .replace(/= (React\d*\.(?:createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ $1'),
      map: null,
    }),
  },
};

export default defineConfig({
  plugins: [react(), chunkLoader, pureRouter],
  resolve: {
    // Its exports always lead to the build that warns developers.
    alias: [
      {
        find: /^react-router$/,
        replacement: fileURLToPath(new URL('../node_modules/react-router/dist/production/index.mjs', import.meta.url)),
      },
      // The contracts create their schemas when they are loaded, so zod must be configured before any of them.
      { find: /^zod$/, replacement: fileURLToPath(new URL('src/lib/zod.ts', import.meta.url)) },
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
      treeshake: {
        moduleSideEffects: [
          // CommonJS modules that only unused parts of Emotion import: the bundler cannot know that they have no side effects.
          { test: /\/node_modules\/(hoist-non-react-statics|react-is)\//, sideEffects: false },
          // A feature's entry point only names exports: an import of one must not load the modules of the others.
          { test: /\/web\/src\/features\/\w+\/index\.ts$/, sideEffects: false },
        ],
      },
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
            // What screens and contracts share, so that screens need not load the contracts.
            { name: 'limits', test: /src\/(domain\/(limits|enumerations|ids)|contracts\/customerSorts)\./, priority: 26 },
            {
              name: 'zod',
              test: anyOf(
                packages('zod'),
                /src\/contracts\/(?!topics|timeZones|csv|chartSpans|entitlementLines|customerSorts|alertValues)/,
                /web\/src\/lib\/zod\./,
              ),
              minShareCount: 2,
              priority: 25,
            },
            {
              // What the landing page, the sign-ins and all areas need.
              name: 'core',
              test: anyOf(
                /web\/src\/(areas\.|lib\/(lazyScreen|listeners|loadChunk|preloader)|session\/(returnPath|sessionPath|signedOut|storedTokens)|theme\/|api\/(?!changeCustomer|customersPath|downloadFile|ids|queryClients|recordBulkChange|useBulkRun|useChange))/,
                /web\/src\/ui\/(BackLink|Card|ColorModeButton|Logo|branding|PageHead|colorMode|controls|notify|Toasts)\./,
                /lucide-react\/dist\/esm\/(?!icons)/,
                /src\/(domain\/(enumerations|ids|time)|contracts\/customerSorts)\./,
              ),
              priority: 27,
            },
            { name: 'icons', test: packages('lucide-react'), minShareCount: 3, priority: 23 },
            { name: 'query', test: anyOf(packages('@tanstack'), /web\/src\/api\/queryClients/), priority: 22 },
            {
              // The frame of all areas, and what lists and tables need: a request for each small module costs more than its bytes.
              // Other components are in the chunks of the screens that use them.
              name: 'frame',
              test: anyOf(
                /web\/src\/(live|layouts)\/(?!(Admin|Integrator|Portal)Layout|IntegratorMark|LiveConnection|connection|security|SecurityTabs|NavDrawer|ErrorBoundary|[nN]otFound)/,
                /web\/src\/(api\/(customersPath|ids|useChange)|session\/(Guard|permissions|rememberedFrame|session)|lib\/(download|format|listAddress|tier))\./,
                /web\/src\/ui\/(CopyButton|CreateButton|DataTable|Export(Item|Menu)|Facts|FilterBar|ItemAction|NotFound|Pagination|QueryView|SeatMeter|Time|Who|accountStatus|badges|dialogs|key|ListLayout|listMenus|media|printing|rows|seats|states|tableView|useListQuery)\./,
                /web\/src\/features\/(calls\/components\/callAddress|customers\/components\/lazyBulkDialogs|team\/ownTeam|terms\/components\/TermBadge)\./,
                /src\/contracts\/topics\./,
              ),
              priority: 20,
            },
            { name: 'dialog', test: packages('@zag-js', '@ark-ui'), priority: 12 },
          ],
        },
      },
    },
  },
});
