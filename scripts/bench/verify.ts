import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import { kidOf } from '../../src/proof/keys/kid.ts';
import { contentHash, type ReceiptPayload, signingMessage } from '../../src/proof/receipt/receipt.ts';
import { EXECUTABLE } from '../build.ts';
import { ROOT } from '../sources.ts';
import { bareRateOfAllCores } from './bare-ed25519.ts';
import { finalPayload, pendingPayload } from './payload.ts';

/**
 * Bulk verification against the same cores' bare Ed25519 verification (node:crypto with imported keys, a Worker a core),
 * in turns so that drift of the machine falls on both. Prints a table row a round and the median ratio. Build first.
 * `bun scripts/bench/verify.ts [rounds] [receipts]`
 */
const rounds = Number(process.argv[2] ?? 5);
const receipts = Number(process.argv[3] ?? 200_000);

await compare();

async function compare(): Promise<void> {
  const directory = mkdtempSync(join(ROOT, 'dist', 'bench-'));
  try {
    const { file, keys } = await signedReceipts(directory);
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const bare = await bareRateOfAllCores();
      const bulk = await bulkRate(file, keys);
      ratios.push(bulk / bare);
      print(`| ${round} | ${bare.toFixed(0)} | ${bulk.toFixed(0)} | ${(bulk / bare).toFixed(3)} |`);
    }
    const median = ratios.sort((left, right) => left - right)[Math.floor(ratios.length / 2)];
    print(`median ratio ${median?.toFixed(3)}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Receipts as the service signs them: half of them pending, half of them finalized. */
async function signedReceipts(directory: string): Promise<{ file: string; keys: string }> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  const kid = kidOf(nativePrimitives, raw);
  const row = {
    kid,
    algorithm: 'Ed25519',
    public_key: bytesToHex(raw),
    purpose: 'receipts',
    status: 'active',
    valid_from: '2026-01-01T00:00:00.000Z',
    valid_until: null,
  };
  const keys = join(directory, 'keys.json');
  writeFileSync(keys, JSON.stringify({ keys: [row] }));
  const file = join(directory, 'receipts.ndjson');
  const out = createWriteStream(file);
  for (let index = 0; index < receipts; index++) {
    const line = `${JSON.stringify(signed(payload(index), privateKey, kid))}\n`;
    if (!out.write(line)) await new Promise((resolve) => out.once('drain', resolve));
  }
  await new Promise<void>((resolve) => out.end(resolve));
  return { file, keys };
}

function payload(index: number): ReceiptPayload {
  const pending = pendingPayload(index, {
    operator_id: 'op_cus_A1b2C3d4E5f6G7h8I9j0K1l2',
    issued_at: '2026-05-01T12:00:00.000Z',
  });
  return index % 2 === 0 ? pending : finalPayload(pending);
}

function signed(receipt: ReceiptPayload, privateKey: KeyObject, kid: string) {
  const content_hash = contentHash(nativePrimitives, receipt);
  const signature = bytesToHex(signEd25519(privateKey, signingMessage(content_hash)));
  return { ...receipt, content_hash, signature, kid };
}

/** Receipts a second from the start of the executable to its end. */
async function bulkRate(file: string, keys: string): Promise<number> {
  const since = performance.now();
  const child = Bun.spawn([EXECUTABLE, 'verify', file, '--keys', keys], { stdout: 'pipe', stderr: 'pipe' });
  const summary = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`not valid: ${summary}`);
  return receipts / ((performance.now() - since) / 1000);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
