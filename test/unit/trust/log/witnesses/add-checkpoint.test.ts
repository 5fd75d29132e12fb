import { afterEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NameError, type Resolve } from '../../../../../src/platform/network/name-resolver.ts';
import { checkpointText } from '../../../../../src/proof/log/checkpoint.ts';
import { formatNote, signatureLine } from '../../../../../src/proof/log/note.ts';
import {
  addCheckpoint,
  verifiedLines,
  WitnessFailure,
} from '../../../../../src/trust/log/witnesses/add-checkpoint.ts';
import { newNoteSigner } from '../../../proof/log/signed-notes.ts';

const log = newNoteSigner('log.example', 'ed25519');
const witness = newNoteSigner('w.example', 'cosignature');
const text = checkpointText({ origin: 'log.example', size: 7, root: new Uint8Array(32) });
const note = formatNote({ text, signatures: [log.sign(text)] });
const good = signatureLine(witness.sign(text));
const policy = [{ name: 'w', key: witness.key }];

const NOW = 1_700_000_000_000;

test('a line that is dated more than a minute in the future is refused, as verifiers do not count it', () => {
  for (const seconds of [61, 3600, 8_640_000_000_000 - NOW / 1000]) {
    const line = signatureLine(witness.sign(text, NOW / 1000 + seconds));
    expect(() => verifiedLines(line, note, policy, NOW)).toThrow(
      'its cosignature by w.example is dated more than 60 s in the future: check the clocks',
    );
  }
  for (const seconds of [60, 0, -86_400]) {
    const line = signatureLine(witness.sign(text, NOW / 1000 + seconds));
    expect(verifiedLines(line, note, policy, NOW)).toMatchObject([{ line }]);
  }
});

test('a valid line is stored unchanged, and its date is known', () => {
  const line = signatureLine(witness.sign(text, NOW / 1000));
  expect(verifiedLines(line, note, policy, NOW)).toEqual([
    { witness: 'w.example', keyId: witness.key.keyId, line, at: NOW },
  ]);
});

test('whatever else is answered is either refused by its reason or holds the good line', () => {
  const edited = fc
    .tuple(fc.nat(good.length - 1), fc.constantFrom('', '\n', ' ', 'A', '—', '+', '='))
    .map(([at, part]) => good.slice(0, at) + part + good.slice(at + 1));
  const stranger = signatureLine(newNoteSigner('stranger', 'mlDsa44').sign(text));
  const lines = fc
    .array(
      fc.oneof(fc.constantFrom(good, stranger, signatureLine(log.sign(text)), '\n', ''), edited, fc.string()),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(lines, (response) => {
      try {
        const kept = verifiedLines(response, note, policy, NOW);
        expect(kept.map(({ line }) => line)).toEqual([good]);
        expect(response).toContain(good);
      } catch (error) {
        expect(error).toBeInstanceOf(WitnessFailure);
      }
    }),
    { numRuns: 1000 },
  );
});

describe('an add-checkpoint request', () => {
  const started: { stop(force: boolean): Promise<void> }[] = [];
  afterEach(async () => {
    for (const server of started.splice(0)) await server.stop(true);
  });

  /** Something that listens on loopback. @returns its port */
  function listens(response: (request: Request) => Response): number {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: response });
    started.push(server);
    return server.port ?? 0;
  }

  const signal = AbortSignal.timeout(10_000);
  const here: Resolve = async () => ['127.0.0.1'];
  const failureOf = (submitting: Promise<unknown>): Promise<unknown> =>
    submitting.catch((error: unknown) => error);

  test('goes to an address of the name, and is still addressed to the name', async () => {
    const asked: string[] = [];
    const resolve: Resolve = async (name) => {
      asked.push(name);
      return ['127.0.0.1'];
    };
    let heard = '';
    const port = listens(({ url, headers }) => {
      heard = `${headers.get('host')} ${new URL(url).pathname}`;
      return new Response('lines\n');
    });
    const reply = await addCheckpoint(`http://w.example:${port}/a`, 'body', { resolve, signal });
    expect([reply, heard, asked]).toEqual([
      { lines: 'lines\n' },
      `w.example:${port} /a/add-checkpoint`,
      ['w.example'],
    ]);
  });

  test('to a name that does not resolve says so', async () => {
    const resolve: Resolve = () =>
      Promise.reject(new NameError('late', 'the name did not resolve within 2 s'));
    const failure = await failureOf(addCheckpoint('https://w.example', 'body', { resolve, signal }));
    expect(failure).toEqual(
      new WitnessFailure('unreachable', 'w.example: the name did not resolve within 2 s'),
    );
  });

  test('ends when its time is over, and reads no more than a witness says', async () => {
    const silent = listens(() => new Response(new ReadableStream()));
    const soon = AbortSignal.timeout(50);
    const late = await failureOf(
      addCheckpoint(`http://w.example:${silent}`, 'body', { resolve: here, signal: soon }),
    );
    expect(late).toMatchObject({ reason: 'unreachable' });
    const large = listens(() => new Response('x'.repeat(70_000)));
    const failure = await failureOf(
      addCheckpoint(`http://w.example:${large}`, 'body', { resolve: here, signal }),
    );
    expect(failure).toEqual(new WitnessFailure('answer', 'the response is larger than 65536 bytes'));
  });
});
