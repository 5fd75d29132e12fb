import type { KeyObject } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { digest } from '../../src/proof/encoding/digest.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';

/**
 * Writes distinct evidence requests, one per line: signed pushes of one commit with about 1,000 characters of
 * payload.
 */
export async function writeBodies(file: string, key: KeyObject | undefined, count: number): Promise<void> {
  if (key === undefined) throw new Error('there is no such agent');
  const out = createWriteStream(file);
  for (let index = 0; index < count; index++) {
    const payload = push();
    const signature = bytesToHex(signEd25519(key, Buffer.from(digest(nativePrimitives, payload))));
    const line = `${JSON.stringify({ source_type: 'github_push_webhook', payload, signature })}\n`;
    if (!out.write(line)) await new Promise((resolve) => out.once('drain', resolve));
  }
  await new Promise<void>((resolve) => out.end(resolve));
  // Flushes the file, because writing it back during the measurement would delay the server's syncs.
  Bun.spawnSync(['sync', file]);
}

function push() {
  const sha = (): string => crypto.getRandomValues(new Uint8Array(20)).toHex();
  const [before, after] = [sha(), sha()];
  const author = { name: 'Ada Example', email: 'ada@example.org', username: 'ada' };
  return {
    ref: 'refs/heads/main',
    before,
    after,
    created: false,
    deleted: false,
    forced: false,
    compare: `https://github.com/example/parser/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: [
      {
        id: after,
        tree_id: sha(),
        message: 'Take the last line as well when the file does not end in one',
        timestamp: '2026-05-01T12:00:00Z',
        author,
        added: ['test/unit/last-line.test.ts'],
        removed: [],
        modified: ['src/reader.ts', 'src/lines.ts', 'CHANGELOG.md'],
      },
    ],
    repository: { id: 186853002, name: 'parser', full_name: 'example/parser', default_branch: 'main' },
    pusher: { name: 'ada', email: 'ada@example.org' },
    sender: { login: 'ada', id: 21031067, type: 'User', site_admin: false },
  };
}
