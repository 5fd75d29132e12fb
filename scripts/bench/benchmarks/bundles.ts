import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signEd25519, signMlDsa44 } from '../../../src/platform/crypto/crypto.ts';
import { encodeBase64 } from '../../../src/proof/encoding/base64.ts';
import { bytesToHex } from '../../../src/proof/encoding/hex.ts';
import { checkpointText } from '../../../src/proof/log/checkpoint.ts';
import { inclusionPath, leafHash, nodeHash, treeRoot } from '../../../src/proof/log/merkle.ts';
import { formatNote } from '../../../src/proof/log/note.ts';
import { cosignatureBytes, signedMessage } from '../../../src/proof/log/note-signature.ts';
import type { Receipt } from '../../../src/proof/receipt/receipt.ts';
import { FINAL, pendingReceipt, version } from '../../../test/support/made-account.ts';
import { keyRow, leafOf, smallLog, testKey, verifierOf } from '../../../test/support/small-log.ts';
import { EXECUTABLE } from '../../build.ts';
import { COMMON, KEY_DOCUMENT, KEYS, logOf, pathOf, statusOf } from '../../vectors/receipt-bundle-parts.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { median, print } from '../statistics.ts';

const ISSUED = Date.parse('2026-05-01T12:00:00.000Z');
/** When the checkpoints were signed, in seconds. */
const SIGNED = Date.parse('2026-06-01T12:00:00.000Z') / 1000;
/** So many receipts are finalized between two checkpoints. */
const PER_CHECKPOINT = 1000;
const ORIGIN = `${COMMON}/receipts`;
const POST_QUANTUM = { receipts: testKey(20, 'ML-DSA-44'), keys: testKey(21, 'ML-DSA-44') };

export const bundles = defineBenchmark({
  name: 'bundles',
  capability: 'Verification and audit',
  about:
    '`countersign verify` of a file of bundles, from exec to exit, against that of a file of their receipts, in turns. The receipts are final ' +
    `and in one log with a checkpoint (Ed25519 and ML-DSA-44) for every ${PER_CHECKPOINT.toLocaleString('en-US')} of them; each bundle has the ` +
    'proof, its own status, and the events of two keys. A bundle has two signatures of its own, a receipt one.',
  needs: ['product'],
  metrics: {
    ratio: {
      label: 'Bundles verified ÷ receipts verified, a second',
      unit: 'ratio',
      goal: atLeast(0.6),
      goalHoldsFor: 'full',
    },
    rate: { label: 'Bundles verified a second', unit: 'count' },
  },
  short: { bundles: 30_000, rounds: 3 },
  full: { bundles: 100_000, rounds: 5 },
  async run({ bundles: count, rounds }, bench) {
    const files = await written(bench.newDirectory(), count);
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const [ofReceipts, ofBundles] = [
        await verifySeconds(files.receipts, files.keys),
        await verifySeconds(files.bundles, files.keys),
      ];
      ratios.push(ofReceipts / ofBundles);
      rates.push(count / ofBundles);
      print(
        `| ${round} | ${ofReceipts.toFixed(2)} s | ${ofBundles.toFixed(2)} s | ${(ofReceipts / ofBundles).toFixed(3)} |`,
      );
    }
    return { ratio: median(ratios), rate: median(rates) };
  },
});

/** Writes receipts, their bundles and the list of keys. */
async function written(
  directory: string,
  count: number,
): Promise<{ receipts: string; bundles: string; keys: string }> {
  const receipts = Array.from({ length: count }, (_, index) =>
    version(pendingReceipt(index, ISSUED + index), FINAL),
  );
  const entries = receipts.map((receipt, index) => leafOf(receipt, new Date(ISSUED + index).toISOString()));
  const node = nodesOf(entries.map((entry) => leafHash(nativePrimitives, Buffer.from(entry))));
  const keyLog = smallLog(`${COMMON}/keys`, logOf('keys').entries, [KEYS.keysLog, POST_QUANTUM.keys], SIGNED);
  const key_events = [KEYS.receipts, KEYS.credentials].map(({ kid }) =>
    pathOf(
      keyLog,
      keyLog.entries.findLastIndex((text) => text.includes(kid)),
    ),
  );
  function* lines(): Generator<string> {
    let checkpoint = '';
    for (const [index, receipt] of receipts.entries()) {
      const size = Math.min(count, (Math.floor(index / PER_CHECKPOINT) + 1) * PER_CHECKPOINT);
      if (index % PER_CHECKPOINT === 0)
        checkpoint = checkpointOf(size, treeRoot(nativePrimitives, size, node));
      const proof = {
        ...{ log: ORIGIN, leaf_index: index, tree_size: size, leaf_entry: entries[index] },
        leaf_hash: bytesToHex(node(0, index)),
        hashes: inclusionPath(nativePrimitives, index, size, node).map(encodeBase64),
        ...{ checkpoint, cosigned: false },
      };
      const bundle = { type: 'receipt-bundle', receipt, proof, status: statusOf(receipt), key_events };
      yield JSON.stringify(bundle);
    }
  }
  const files = {
    receipts: join(directory, 'receipts.ndjson'),
    bundles: join(directory, 'bundles.ndjson'),
    keys: join(directory, 'keys.json'),
  };
  const rows = [
    ...Object(KEY_DOCUMENT.keys),
    keyRow(POST_QUANTUM.receipts, 'receipts-log'),
    keyRow(POST_QUANTUM.keys, 'keys-log'),
  ];
  writeFileSync(files.keys, JSON.stringify({ ...KEY_DOCUMENT, keys: rows }));
  await writeLines(
    files.receipts,
    receipts.map((receipt: Receipt) => JSON.stringify(receipt)),
  );
  await writeLines(files.bundles, lines());
  return files;
}

/** Returns what reads the perfect subtrees above leaves. */
function nodesOf(leaves: readonly Uint8Array[]): (level: number, index: number) => Uint8Array {
  const levels: (readonly Uint8Array[])[] = [leaves];
  for (let row = leaves; row.length > 1; ) {
    const below = row;
    row = Array.from({ length: below.length >> 1 }, (_, index) =>
      nodeHash(
        nativePrimitives,
        below[2 * index] ?? new Uint8Array(),
        below[2 * index + 1] ?? new Uint8Array(),
      ),
    );
    levels.push(row);
  }
  return (level, index) => {
    const found = levels[level]?.[index];
    if (found === undefined) throw new Error(`there is no node ${index} of level ${level}`);
    return found;
  };
}

/** Signs a checkpoint as a service does: with Ed25519 and with ML-DSA-44. */
function checkpointOf(size: number, root: Uint8Array): string {
  const text = checkpointText({ origin: ORIGIN, size, root });
  const [plain, timed] = [KEYS.receiptsLog, POST_QUANTUM.receipts].map((key) => verifierOf(key, ORIGIN));
  if (plain === undefined || timed === undefined) throw new Error('there are two keys');
  const signed = signMlDsa44(
    POST_QUANTUM.receipts.privateKey,
    signedMessage(timed.type, text, ORIGIN, SIGNED),
  );
  return formatNote({
    text,
    signatures: [
      { ...plain, signature: signEd25519(KEYS.receiptsLog.privateKey, Buffer.from(text)) },
      { ...timed, signature: cosignatureBytes(SIGNED, signed) },
    ],
  });
}

async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const out = createWriteStream(path);
  for (const line of lines)
    if (!out.write(`${line}\n`)) await new Promise((resolve) => out.once('drain', resolve));
  await new Promise<void>((resolve) => out.end(resolve));
}

/** Measures the seconds from the start of the executable to its end. */
async function verifySeconds(file: string, keys: string): Promise<number> {
  const since = performance.now();
  const child = Bun.spawn([EXECUTABLE, 'verify', file, '--keys', keys], { stdout: 'pipe', stderr: 'pipe' });
  const summary = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`not valid: ${summary.slice(0, 1000)}`);
  return (performance.now() - since) / 1000;
}
