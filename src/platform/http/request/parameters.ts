import { Refusal } from '../errors/errors.ts';

/** The maximum number of query parameters. Every operation has less than a fifth of it. */
export const MAX_PARAMETERS = 100;

/**
 * Refuses repeated and too many parameters: with two values for one name, the intended one is unknown.
 * @throws Refusal invalid
 */
export function refuseParameters({ url }: Request): void {
  const query = url.indexOf('?');
  if (query === -1) return;
  const pairs = url.slice(query + 1).split('&');
  if (pairs.length > MAX_PARAMETERS) {
    throw new Refusal('invalid', { issues: { query: [`must have at most ${MAX_PARAMETERS} parameters`] } });
  }
  // Most queries have only plain names, and decoding all names takes time.
  const raw = pairs.map((pair) => pair.split('=', 1)[0] ?? '');
  const isPlain = raw.every((name) => /^\w+$/.test(name));
  const names = isPlain ? raw : [...new URLSearchParams(url.slice(query)).keys()];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length === 0) return;
  throw new Refusal('invalid', {
    issues: Object.fromEntries(repeated.map((name) => [name, ['is given more than once']])),
  });
}
