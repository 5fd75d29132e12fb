import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { leafHash } from '../../../../src/proof/log/merkle.ts';
import { log } from '../../../support/evidence-items.ts';
import { run, scratch } from '../../../support/process.ts';
import { hasPython, runPython } from '../../../support/python.ts';
import { example } from '../../../support/worked-example.ts';

const VECTORS = join(import.meta.dir, '../../../vectors');
const directory = scratch();
/** Serves the proof of an item of evidence and a status list at the paths of the service. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ url }) => {
    const { pathname } = new URL(url);
    const served = FILES.get(pathname);
    return served === undefined ? new Response('{}', { status: 404 }) : new Response(readFileSync(served));
  },
});
afterAll(async () => {
  await server.stop(true);
  directory.dispose();
});

const save = (name: string, content: string | Uint8Array): string => {
  const path = join(directory.path, name);
  writeFileSync(path, content);
  return path;
};
const evidence = (name: string): string => join(VECTORS, 'evidence', name);
const cose = (name: string): string => join(VECTORS, 'cose-receipt', name);
const agora = (name: string): string => join(VECTORS, 'agora-proposal', name);
const credential = (name: string): string => join(VECTORS, 'credential', name);
const second = JSON.parse(readFileSync(evidence('second.json'), 'utf8'));
const URL_OF_SERVICE = `http://127.0.0.1:${server.port}`;
const itemPath = `/api/v1/passport/agents/${second.subject_commitment}/evidence/${second.event_commitment_hash}/proof`;
const FILES = new Map([
  [itemPath, evidence('second.tlog-proof')],
  ['/api/v1/credentials/status/1', credential('status-list.json')],
]);
const receipt = save('receipt.json', JSON.stringify(example.receipt));
const keys = save('keys.json', JSON.stringify(example.keys));
const policy = save('policy', 'quorum none\n');
const AT = ['--at', '2026-05-01T14:00:00Z'];

async function verified(args: string[]) {
  const { code, stdout, stderr } = await run(['verify', ...args]);
  const result = stdout === '' ? null : JSON.parse(stdout);
  return { code, stderr, verdict: result?.verdict, checks: result?.checks };
}

describe('verify of an item of evidence', () => {
  const own = ['--keys', evidence('keys.json')];

  test('says who signed it, and what is not checked without a proof', async () => {
    const { code, stderr } = await verified([evidence('first.json'), ...own]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^valid: .* Not checked: whether the log has it, and when \(--proof\);.*\n {2}signed by agent [0-9a-f]{64}: github_commit_payload [0-9a-f]{64}\n/,
    );
  });

  test('says its place with a proof, also from the service', async () => {
    for (const source of [evidence('second.tlog-proof'), URL_OF_SERVICE]) {
      const { code, stderr } = await verified([evidence('second.json'), ...own, '--proof', source]);
      expect(code).toBe(0);
      expect(stderr).toContain('item 1 of the agent, logged at 2026-05-01T12:00:01.000Z');
    }
  });

  test('is 1 where the service has no proof', async () => {
    const none = await verified([evidence('first.json'), ...own, '--proof', URL_OF_SERVICE]);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('returned status 404')]);
  });

  test('takes a policy only with a proof', async () => {
    const proof = ['--proof', evidence('second.tlog-proof')];
    const met = await verified([evidence('second.json'), ...own, ...proof, '--policy', policy]);
    expect([met.code, met.checks.quorum]).toEqual([0, 'none']);
    const refused = await verified([evidence('second.json'), ...own, '--policy', policy]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('nothing to verify')]);
  });
});

describe('verify of a bundle of evidence', () => {
  const bundle = (name: string): string => join(VECTORS, 'evidence-bundle', name);
  const own = ['--keys', bundle('keys.json')];

  test('says what it shows, and what it cannot', async () => {
    const { code, stderr, checks } = await verified([bundle('second.json'), ...own]);
    expect([code, checks]).toEqual([0, { agent: 'ok', hashes: 'ok', proof: 'ok' }]);
    expect(stderr).toStartWith('valid: The log of evidence has this item of the agent. Not checked: ');
    expect(stderr).toContain('item 1 of the agent, logged at 2026-05-01T12:00:01.000Z');
    expect(stderr).toContain(
      'whether the agent signed the payload (the item with its payload, with this file as --proof)',
    );
  });

  test('is the proof of the item', async () => {
    const item = [evidence('second.json'), '--keys', evidence('keys.json'), '--proof'];
    expect(await verified([...item, bundle('second.json')])).toMatchObject({ code: 0, verdict: 'valid' });
    expect(await verified([...item, bundle('first.json')])).toMatchObject({ code: 1, verdict: 'mismatch' });
  });

  test('fails while it has no proof', async () => {
    const { code, verdict, stderr } = await verified([bundle('without-proof.json'), ...own]);
    expect([code, verdict]).toEqual([1, 'not_proven']);
    expect(stderr).not.toContain('signed the payload');
  });

  test('takes no other proof, and its checkpoint is compared with a copy of the log', async () => {
    const args = [bundle('second.json'), ...own, '--proof', evidence('second.tlog-proof')];
    const { code, stderr } = await run(['verify', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('the bundle has its proof')]);
    if (hasPython) expect(runPython(...args).code).toBe(2);
    const copy = join(directory.path, 'copy');
    mkdirSync(join(copy, 'evidence/tile/0'), { recursive: true });
    writeFileSync(join(copy, 'evidence/checkpoint'), log.checkpoint);
    const leaves = log.entries.map((entry) => leafHash(nativePrimitives, Buffer.from(entry)));
    mkdirSync(join(copy, 'evidence/tile/0/000.p'), { recursive: true });
    writeFileSync(join(copy, `evidence/tile/0/000.p/${leaves.length}`), Buffer.concat(leaves));
    const item = [evidence('second.json'), '--keys', evidence('keys.json'), '--proof', bundle('second.json')];
    for (const compared of [[bundle('second.json'), ...own], item]) {
      const { code, checks } = await verified([...compared, '--log', copy]);
      expect([code, checks.copy]).toEqual([0, 'ok']);
      if (hasPython) expect(runPython(...compared, '--log', copy).code).toBe(0);
    }
  });
});

describe('verify of a COSE receipt', () => {
  const own = ['--keys', cose('keys.json')];
  const entry = ['--entry', cose('manifest.json')];

  test('accepts it alone, with its entry', async () => {
    const { code, stderr } = await verified([cose('receipt.cose'), ...own, ...entry]);
    expect([code, stderr.split('\n')[0]]).toEqual([
      0,
      'valid: The log has the entry: its key signed a tree with it. Not checked: whether others see the same log (a proof in text form).',
    ]);
  });

  test.each<[string, string[], string]>([
    ['a COSE receipt without its entry', [cose('receipt.cose'), ...own], 'add --entry'],
    [
      'a COSE receipt and a policy',
      [cose('receipt.cose'), ...own, ...entry, '--policy', policy],
      'no cosignatures',
    ],
    ['a proof without the entry', [receipt, '--keys', keys, '--proof', cose('receipt.cose')], 'add --entry'],
    [
      'a proof and a policy',
      [receipt, '--keys', keys, '--proof', cose('receipt.cose'), ...entry, '--policy', policy],
      'no cosignatures',
    ],
    ['an entry without a proof', [receipt, '--keys', keys, ...entry], '--entry is for COSE receipts'],
    [
      'an entry with another proof',
      [receipt, '--keys', keys, '--proof', save('receipt.tlog-proof', example.proof), ...entry],
      '--entry is for COSE receipts',
    ],
  ])('refuses %s', async (_, args, problem) => {
    const { code, stderr } = await run(['verify', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
    if (hasPython) expect(runPython(...args).code).toBe(2);
  });
});

describe('verify of an AGORA proposal', () => {
  test('says what was agreed', async () => {
    const { code, stderr } = await verified([agora('accepted.json'), '--keys', agora('keys.json')]);
    expect(code).toBe(0);
    expect(stderr).toContain('\n  agora_0197284f7a2b7c3d8e9f0a1b2c3d4e51 is accepted\n');
    expect(stderr).toContain('\n  terms: {"credits":105,"task":"Audit the invoices of June"}\n');
    // It proves itself.
    const alone = await verified([agora('accepted.json')]);
    expect([alone.code, alone.verdict]).toEqual([0, 'valid']);
    const refused = await verified([
      agora('accepted.json'),
      '--keys',
      agora('keys.json'),
      '--policy',
      policy,
    ]);
    expect(refused.code).toBe(2);
  });
});

describe('verify of a credential', () => {
  const own = ['--keys', credential('keys.json'), ...AT];

  test('checks its revocation with the status list, also from the service', async () => {
    for (const source of [credential('status-list.json'), URL_OF_SERVICE]) {
      const revoked = await verified([credential('reputation.json'), ...own, '--status', source]);
      expect([revoked.code, revoked.verdict, revoked.checks.status]).toEqual([1, 'revoked', false]);
      const good = await verified([credential('not-revoked.json'), ...own, '--status', source]);
      expect([good.code, good.verdict, good.checks.status]).toEqual([0, 'valid', true]);
    }
  });

  test('accepts the credentials of one issuer only with --issuer, which is for nothing else', async () => {
    const issuer = JSON.parse(readFileSync(credential('reputation.json'), 'utf8')).issuer;
    const accepted = await verified([credential('reputation.json'), ...own, '--issuer', issuer]);
    expect([accepted.code, accepted.verdict]).toEqual([0, 'valid']);
    const refused = await verified([credential('reputation.json'), ...own, '--issuer', 'did:web:x.example']);
    expect([refused.code, refused.verdict]).toEqual([1, 'issuer_unknown']);
    const other = await run(['verify', agora('accepted.json'), ...own, '--issuer', issuer]);
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('--issuer is for documents that name an issuer, but this is an AGORA proposal'),
    ]);
  });

  test('says that it did not, without a list', async () => {
    const { code, stderr, checks } = await verified([credential('reputation.json'), ...own]);
    expect([code, checks.status]).toEqual([0, null]);
    expect(stderr).toContain('Not checked: whether it is revoked (--status).');
  });
});
