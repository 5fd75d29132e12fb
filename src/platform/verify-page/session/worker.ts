import { browserPrimitives } from '../../../proof/noble-ml-dsa.ts';
import { FILE_BYTES_MAX, judgeFiles, type Row, type Step } from './judge-files.ts';
import type { PageFile, Role } from './recognise.ts';
import type { Choices } from './trusting.ts';

/** A file as the page has it: its content is read by the Worker. */
export interface SentFile {
  name: string;
  content: Blob | Uint8Array<ArrayBuffer> | string;
  role?: Role;
}

/** What the Worker is sent: all files, each time. */
export interface WorkerRequest extends Choices {
  files: readonly SentFile[];
  /** The texts that the page was made with; null for none. */
  baked: { keys: string | null; policy: string | null };
  /** Unix time in milliseconds. */
  now: number;
}

/** What the Worker says: steps, why nothing was judged, or why it failed. */
export type WorkerResponse = Step | { rows: readonly Row[]; trusted: null } | { failed: string };

declare const self: {
  onmessage: ((event: { data: WorkerRequest }) => void) | null;
  postMessage(response: WorkerResponse): void;
};

const utf8 = new TextEncoder();

/** Judges what the page sends. */
export function answerPage(): void {
  self.onmessage = ({ data }) => {
    answer(data).catch((error: unknown) => self.postMessage({ failed: String(error) }));
  };
}

async function answer({ files: sent, baked, now, ...choices }: WorkerRequest): Promise<void> {
  const files: PageFile[] = [];
  const tooLarge: string[] = [];
  const unread: string[] = [];
  for (const { content, ...file } of sent) {
    const size = content instanceof Blob ? content.size : content.length;
    if (size > FILE_BYTES_MAX) tooLarge.push(file.name);
    else {
      const bytes = await bytesOf(content);
      if (bytes === null) unread.push(file.name);
      else files.push({ ...file, bytes });
    }
  }
  // It may be the keys or the policy: without it, a document might be valid that is not.
  if (unread.length > 0) {
    self.postMessage({ rows: rowsOfUnread(unread, sent), trusted: null });
    return;
  }
  const trust = { keys: bakedFile('keys', baked.keys), policy: bakedFile('policy', baked.policy) };
  for await (const step of judgeFiles(browserPrimitives, { files, baked: trust, now, ...choices })) {
    if (!('rows' in step)) self.postMessage(step);
    else {
      const refused = tooLarge.map((file) => ({ file, problem: TOO_LARGE }));
      self.postMessage({ ...step, rows: [...step.rows, ...refused] });
    }
  }
}

const TOO_LARGE = 'The file has more than 64 MiB. Use countersign verify, which reads lists of any size.';

const UNREAD =
  'The file cannot be read: it was changed, moved or deleted. Remove it here, and choose it again.';

/** Says of all files that nothing was judged; first of those that cannot be read. */
function rowsOfUnread(unread: readonly string[], sent: readonly SentFile[]): Row[] {
  const others = sent.map(({ name }) => name).filter((name) => !unread.includes(name));
  const problem = `Nothing was judged: the file ${unread[0]} cannot be read, and may say what is trusted.`;
  return [...unread.map((file) => ({ file, problem: UNREAD })), ...others.map((file) => ({ file, problem }))];
}

/** Returns the content of a file; null for one that cannot be read. */
async function bytesOf(content: SentFile['content']): Promise<Uint8Array | null> {
  if (typeof content === 'string') return utf8.encode(content);
  if (!(content instanceof Blob)) return content;
  try {
    return new Uint8Array(await content.arrayBuffer());
  } catch (error) {
    // NotFoundError or NotReadableError.
    if (!(error instanceof DOMException)) throw error;
    return null;
  }
}

function bakedFile(role: 'keys' | 'policy', text: string | null): PageFile | null {
  return text === null
    ? null
    : { name: `the ${role} that this page was made with`, bytes: utf8.encode(text), role };
}
