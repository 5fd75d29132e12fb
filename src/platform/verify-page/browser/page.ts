import type { Row, TrustedNames } from '../session/judge-files.ts';
import type { SentFile, WorkerRequest, WorkerResponse } from '../session/worker.ts';
import { byId, quoted } from './element.ts';
import { outcomeOf, resultOf } from './results.ts';
import { servedFiles } from './served.ts';

/** What the page was made with. */
interface Baked {
  keys: string | null;
  policy: string | null;
  /** Whether a service serves the page, so that it may read documents of its origin. */
  isServed: boolean;
}

/** A page with more files could not be read. */
const FILES_MAX = 100;
const FAILED = 'The script that judges cannot run in this browser, or it failed. Nothing was judged.';

/** Starts the page. @param script its own text, which its Worker runs too */
export function startPage(script: string): void {
  const baked: Baked = JSON.parse(byId('baked').textContent ?? '');
  const workerUrl = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  let files: SentFile[] = [];
  let worker: Worker | null = null;
  let pasted = 0;

  const judge = (): void => {
    // What was begun is about fewer files.
    worker?.terminate();
    worker = null;
    if (files.length === 0) show([], null);
    // Each of them may be a policy, which counts for all.
    else if (files.length > FILES_MAX)
      fail(`These are ${files.length} files, and a page takes ${FILES_MAX}. Nothing was judged.`);
    else {
      try {
        worker = begun();
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        fail(FAILED);
      }
    }
  };

  /** Returns a Worker that judges all files. @throws DOMException where the browser starts none */
  function begun(): Worker {
    // What was said of fewer files may not hold any more.
    show([], null);
    say('Judging…');
    byId('results').setAttribute('aria-busy', 'true');
    byId('clear').hidden = false;
    const judging = new Worker(workerUrl);
    judging.onerror = () => fail(FAILED);
    judging.onmessage = ({ data }: MessageEvent<WorkerResponse>) => {
      if ('failed' in data) fail(`This could not be judged: ${data.failed.slice(0, 500)}`);
      else if ('rows' in data) show(data.rows, data.trusted);
      else if (data.receipts > 0) say(`Judging… ${data.receipts} receipts of ${data.file.slice(0, 100)}`);
    };
    const { keys, policy } = baked;
    const request: WorkerRequest = {
      files,
      baked: { keys, policy },
      anyLog: isChecked('any-log'),
      isFresh: isChecked('fresh'),
      now: Date.now(),
    };
    judging.postMessage(request);
    return judging;
  }

  const add = (added: readonly SentFile[]): void => {
    if (added.length === 0) return;
    files = [...files, ...added];
    judge();
  };
  const addText = (text: string): void => {
    if (text.trim() !== '') add([{ name: `pasted ${++pasted}`, content: text }]);
  };
  const addFiles = (list: FileList | null): void =>
    add([...(list ?? [])].map((file) => ({ name: file.name, content: file })));

  /** @param trusted null if nothing was judged */
  function show(rows: readonly Row[], trusted: TrustedNames | null): void {
    const results = byId('results');
    results.removeAttribute('aria-busy');
    results.replaceChildren(
      ...rows.map((row) =>
        resultOf(row, () => {
          files = files.filter(({ name }) => name !== row.file);
          judge();
        }),
      ),
    );
    byId('clear').hidden = files.length === 0;
    byId('trusted').replaceChildren(...(trusted === null ? [] : trustedWords(trusted)));
    say(summaryOf(rows));
  }

  /** Says why nothing was judged, in place of what was said before. */
  function fail(sentence: string): void {
    worker?.terminate();
    show([], null);
    say(sentence);
  }

  const input = byId('files');
  if (!(input instanceof HTMLInputElement)) throw new Error('the page has no field for files');
  input.addEventListener('change', () => {
    addFiles(input.files);
    // The same file can be chosen again.
    input.value = '';
  });
  const text = byId('text');
  if (!(text instanceof HTMLTextAreaElement)) throw new Error('the page has no field for text');
  text.addEventListener('change', () => {
    addText(text.value);
    text.value = '';
  });
  document.addEventListener('paste', (event) => {
    const data = event.clipboardData;
    if (data === null) return;
    event.preventDefault();
    if (data.files.length > 0) addFiles(data.files);
    else addText(data.getData('text/plain'));
  });
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('over');
  });
  document.addEventListener('dragleave', () => document.body.classList.remove('over'));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('over');
    addFiles(event.dataTransfer?.files ?? null);
  });
  for (const id of ['any-log', 'fresh']) byId(id).addEventListener('change', judge);
  byId('clear').addEventListener('click', () => {
    files = [];
    judge();
    input.focus();
  });
  byId('start').hidden = false;
  if (!baked.isServed) return;
  servedFiles().then(add, (error: unknown) => say(error instanceof Error ? error.message : String(error)));
}

function isChecked(id: string): boolean {
  const box = byId(id);
  return box instanceof HTMLInputElement && box.checked;
}

function say(sentence: string): void {
  byId('status').textContent = sentence;
}

function trustedWords({ keys, policy }: TrustedNames): (Node | string)[] {
  return [
    'Trusted keys: ',
    keys === null ? 'none' : quoted(keys, 200),
    '. Policy: ',
    policy === null ? 'none' : quoted(policy, 200),
    '.',
  ];
}

/** Returns how many documents are valid, for a screen reader. */
function summaryOf(rows: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const { word } = outcomeOf(row);
    if (word !== 'Used') counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${word}: ${count}`).join(', ');
}
