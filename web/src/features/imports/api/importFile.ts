import type { ImportCounts, ImportedLine, ImportMessage } from '../../../../../src/contracts/imports.ts';
import { api } from '../../../api/client.ts';
import { importTexts as texts } from '../texts.ts';

/** Where files are imported: the path of the list, whose files have its columns. */
export type ImportPath = '/api/admin/customers' | '/api/service-integrator/customers' | '/api/admin/users' | '/api/users';

/** What is known of an import: the lines so far, how many there are, and the counts once it has ended. */
export type ImportResult = Readonly<{ lines: readonly ImportedLine[]; all: number | null; counts: ImportCounts | null }>;

/** The lines of a text that arrives in pieces. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const parts = (rest + decoder.decode(piece.value, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

/** How often the progress is shown, in ms. */
const SHOWN_MS = 100;

/**
 * Imports a file, or only checks it, and calls `onProgress` with what is known so far. Resolves to what was known when the reply ended: without
 * counts, the import was stopped. Throws `ApiError` if it did not begin.
 */
export const importFile = async (
  path: ImportPath,
  file: File,
  { isDryRun, signal, onProgress }: { isDryRun: boolean; signal: AbortSignal; onProgress: (result: ImportResult) => void },
): Promise<ImportResult> => {
  const query = { file: file.name, dryRun: isDryRun ? 'true' : undefined };
  const body = await api.postFile(`${path}/import`, file, { query, signal, fallback: texts.failed });
  const lines: ImportedLine[] = [];
  let all: number | null = null;
  let counts: ImportCounts | null = null;
  let shownAt = 0;
  try {
    for await (const text of body ? linesOf(body) : []) {
      const message: ImportMessage = JSON.parse(text);
      if (message.kind === 'start') all = message.lines;
      else if (message.kind === 'line') lines.push(message);
      else counts = message.counts;
      if (performance.now() - shownAt < SHOWN_MS) continue;
      shownAt = performance.now();
      onProgress({ lines, all, counts });
    }
  } catch {
    // The connection ended: the counts are missing.
  }
  return { lines, all, counts };
};
