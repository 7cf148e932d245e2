import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

/** The server that `npm run dev` talks to: `serve(Desk, { port: 8000, token: '0123456789abcdef' })`. */
const { ADORN_SERVER = 'http://127.0.0.1:8000', ADORN_TOKEN = '0123456789abcdef' } = process.env;

export default defineConfig({
  base: './',
  build: {
    outDir: fileURLToPath(new URL('../server/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/adorn': {
        target: ADORN_SERVER,
        changeOrigin: true,
        headers: { authorization: `Bearer ${ADORN_TOKEN}`, origin: ADORN_SERVER },
      },
    },
  },
});
