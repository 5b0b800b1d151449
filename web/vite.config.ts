import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env.API_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
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
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 40 },
            {
              name: 'chakra',
              test: /node_modules[\\/](@emotion|stylis|react-router|react-router-dom|@pandacss|hoist-non-react-statics)[\\/]|@chakra-ui[\\/]react[\\/]dist[\\/]esm[\\/](styled-system|preset-base|utils|merge-|create-context|components[\\/](box|flex|center|stack|text|button|spinner|input|field|simple-grid|grid)[\\/])/,
              priority: 30,
            },
            { name: 'zod', test: /node_modules[\\/]zod[\\/]|src[\\/]contracts[\\/]/, minShareCount: 2, priority: 25 },
            { name: 'shared', test: /web[\\/]src[\\/](ui|app|branding|api[\\/](?!queryClients))/, minShareCount: 4, priority: 24 },
            { name: 'query', test: /@tanstack|api[\\/]queryClients/, priority: 22 },
            { name: 'machines', test: /@zag-js|@ark-ui/, minShareCount: 2, priority: 10 },
          ],
        },
      },
    },
  },
});
