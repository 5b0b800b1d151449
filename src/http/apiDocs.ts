import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { escapedHtml } from '../contracts/html.ts';
import type { App } from './deps.ts';
import { type MemoryFile, memoryFile, sendFromMemory } from './requests/memoryFile.ts';

const DESCRIPTION = '/api/openapi.json';
const READER = '/api/docs';
const DESCRIPTION_S = 300;
const FILES_S = 86_400;

/** The reader's own page needs inline styles; no other page may have any. */
const READER_CSP = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "object-src 'none'",
].join('; ');

/** Files of Swagger UI, as `@fastify/swagger-ui` brings them. */
const FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'index.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

const STARTER = `window.addEventListener('load', () => {
  window.SwaggerUIBundle({
    dom_id: '#swagger-ui',
    url: '${DESCRIPTION}',
    deepLinking: true,
    validatorUrl: null,
    presets: [window.SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
  });
});
`;

const pageOf = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapedHtml(title)} API</title>
<link rel="stylesheet" href="${READER}/static/swagger-ui.css">
<link rel="stylesheet" href="${READER}/static/index.css">
<link rel="icon" type="image/png" href="${READER}/static/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${READER}/static/swagger-ui-bundle.js"></script>
<script src="${READER}/static/starter.js"></script>
</body>
</html>
`;

const readerFiles = async (): Promise<ReadonlyMap<string, MemoryFile>> => {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static');
  const files = await Promise.all(
    Object.entries(FILES).map(
      async ([name, type]): Promise<[string, MemoryFile]> => [
        name,
        memoryFile(await readFile(join(folder, name)), { type, maxAge: FILES_S }),
      ],
    ),
  );
  const starter = memoryFile(Buffer.from(STARTER), { type: 'text/javascript; charset=utf-8', maxAge: FILES_S });
  return new Map([...files, ['starter.js', starter]]);
};

/** Serves the description of every route at `/api/openapi.json`, and a reader of it at `/api/docs`, from memory. */
export const serveApiDocs = async (app: App, { title }: { title: string }): Promise<void> => {
  const options = { config: { audience: ['public'] as const }, schema: { hide: true } };
  const files = await readerFiles();
  const page = memoryFile(Buffer.from(pageOf(title)), { type: 'text/html; charset=utf-8', maxAge: DESCRIPTION_S });
  let description: MemoryFile | undefined;
  // Deriving it from the contracts takes a quarter of a second, in which the server would answer nothing else.
  app.addHook('onReady', async () => {
    description = memoryFile(Buffer.from(JSON.stringify(app.swagger())), {
      type: 'application/json; charset=utf-8',
      maxAge: DESCRIPTION_S,
    });
  });
  app.get(DESCRIPTION, options, async (request, reply) =>
    description ? sendFromMemory(request, reply, description) : reply.callNotFound(),
  );
  for (const url of [READER, `${READER}/`]) {
    app.get(url, options, async (request, reply) =>
      sendFromMemory(request, reply.header('content-security-policy', READER_CSP), page),
    );
  }
  for (const [name, file] of files) {
    app.get(`${READER}/static/${name}`, options, async (request, reply) =>
      sendFromMemory(request, reply.header('content-security-policy', READER_CSP), file),
    );
  }
};
