import type { SentFile } from '../session/worker.ts';

const KEYS = '/api/v1/transparency/keys';
const BYTES_MAX = 64 * 2 ** 20;

/**
 * Returns the document that the address of a served page names, `?document=/api/v1/…`, and the keys of the
 * service; no files without it. Only paths of this origin are read.
 * @throws Error with a sentence
 */
export async function servedFiles(): Promise<SentFile[]> {
  const path = new URLSearchParams(location.search).get('document');
  if (path === null) return [];
  const url = URL.canParse(path, location.origin) ? new URL(path, location.origin) : null;
  // As it was parsed: "/api/v1/../..//other.example" leads elsewhere.
  if (url?.origin !== location.origin || !url.pathname.startsWith('/api/v1/'))
    throw new Error('The document in the address is not one of this service.');
  return Promise.all([fetched(url.pathname + url.search), fetched(KEYS)]);
}

async function fetched(path: string): Promise<SentFile> {
  const response = await fetch(location.origin + path, {
    credentials: 'omit',
    headers: { accept: 'application/json, */*' },
  });
  if (!response.ok) throw new Error(`${path} returned status ${response.status}.`);
  const content = await response.blob();
  if (content.size > BYTES_MAX) throw new Error(`${path} has more than 64 MiB.`);
  return { name: path, content };
}
