import { readFileSync } from 'node:fs';
import { printable } from '../../../src/platform/terminal/printable.ts';
import { SCRIPT } from '../../../src/platform/verify-page/script.ts';
import type { Row } from '../../../src/platform/verify-page/session/judge-files.ts';
import type { Role } from '../../../src/platform/verify-page/session/recognise.ts';
import type {
  SentFile,
  WorkerRequest,
  WorkerResponse,
} from '../../../src/platform/verify-page/session/worker.ts';
import type { Said } from './said.ts';
import type { VerdictVector } from './vectors.ts';

/** The Worker of the verifier page: the script of the page as it is built, which has no document here. */
export class BrowserScript {
  readonly #worker = new Worker(URL.createObjectURL(new Blob([SCRIPT], { type: 'text/javascript' })));

  /** Returns what the page would show. @throws Error if the script fails */
  rows(request: WorkerRequest): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      this.#worker.onerror = ({ message }) => reject(new Error(message));
      this.#worker.onmessage = ({ data }: MessageEvent<WorkerResponse>) => {
        if ('failed' in data) reject(new Error(data.failed));
        else if ('rows' in data) resolve(data.rows);
      };
      this.#worker.postMessage(request);
    });
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}

/** The options of a vector that need a copy of a log, or a hash, which no page has. */
const OF_COPIES = ['log', 'predecessor', 'complete', 'head'] as const;

/** Returns whether the page has what a vector needs. */
export const isForPage = ({ options }: VerdictVector): boolean =>
  OF_COPIES.every((option) => options[option] === undefined);

/** Returns what the script says about a vector, in the form in which the program prints it. */
export async function saidByScript(script: BrowserScript, vector: VerdictVector): Promise<Said> {
  const { directory, document, options, now } = vector;
  // What a journal is follows from its first line, as it does for the program.
  const role =
    directory === 'journal' ? {} : ({ role: options.ndjson === true ? 'list' : 'document' } as const);
  const content = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(path));
  const file = (role: Role, path: string | undefined): SentFile[] =>
    path === undefined ? [] : [{ name: role, role, content: content(path) }];
  const rows = await script.rows({
    files: [
      { name: 'document', ...role, content: content(document) },
      ...file('keys', options.keys),
      ...file('policy', options.policy),
      ...file(options.linked === true ? 'linked' : 'proof', options.proof),
      ...file('status', options.status),
      ...file('entry', options.entry),
      ...(options.logKey ?? []).map(
        (key): SentFile => ({ name: 'log keys', role: 'log keys', content: key }),
      ),
    ],
    baked: { keys: null, policy: null },
    anyLog: options.anyLog === true,
    isFresh: options.fresh === true,
    now,
  });
  return saidIn(rows);
}

/** Returns what is said of the file `document`. */
function saidIn(rows: readonly Row[]): Said {
  const row = rows.find(({ file }) => file === 'document');
  if (row !== undefined && 'described' in row) {
    const { isValid, result } = row.described;
    return { code: isValid ? 0 : 1, stdout: `${printable(JSON.stringify(result, null, 2))}\n` };
  }
  if (row !== undefined && 'list' in row) {
    const { isValid, problems, summary } = row.list;
    return {
      code: isValid ? 0 : 1,
      stdout: [...problems, summary].map((line) => `${JSON.stringify(line)}\n`).join(''),
    };
  }
  return { code: 2, stdout: '' };
}
