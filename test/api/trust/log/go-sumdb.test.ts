import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { tilePath, tilesOf } from '../../../../src/proof/log/tiles.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../support/evidence.ts';
import { ed25519Key, hasGo, runGo } from '../../../support/go.ts';
import { link } from '../../../support/linked.ts';
import { finalized } from '../../../support/log.ts';
import { scratch } from '../../../support/process.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const directory = scratch();
let app: TrustApp;
const bytesAt = async (path: string) =>
  (await app.fetch(new Request(`http://localhost/log/${path}`))).bytes();
const save = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(directory.path, path)), { recursive: true });
  writeFileSync(join(directory.path, path), content);
};
const sizes = new Map<string, number>();

beforeAll(async () => {
  app = await openTrustApp();
  const agent = await enrolledAgent(app);
  await link(app.own);
  for (let count = 0; count < 5; count++) {
    const { receipt_id } = await finalized(app.own);
    if (count % 2 === 0) await app.own.revoke(receipt_id);
    const payload = PAYLOADS.github_commit_payload(`commit ${count}`);
    await app.own.post(
      evidencePath(agent.commitment),
      signedEvidence(agent, 'github_commit_payload', payload),
    );
  }
  await app.service.trust.log.publisher.publish();
  for (const name of LOG_NAMES) {
    const note = Buffer.from(await bytesAt(`${name}/checkpoint`)).toString();
    const size = Number(note.split('\n')[1]);
    sizes.set(name, size);
    save(`${name}/checkpoint`, note);
    for (const { level, index, width } of tilesOf(size, { entries: true })) {
      const path = `${name}/${tilePath(level, index, width)}`;
      save(path, await bytesAt(path));
    }
    save(`${name}/vkey`, ed25519Key(Buffer.from(await bytesAt(`${name}/vkeys`)).toString()));
  }
});
afterAll(async () => {
  await app.close();
  directory.dispose();
});

const verify = () => runGo('logs.go', directory.path, LOG_NAMES);

test.skipIf(!hasGo)(
  "Go's sumdb verifies checkpoints, tiles, inclusion and consistency of all logs",
  () => {
    expect(verify()).toEqual({
      exitCode: 0,
      stdout: LOG_NAMES.map((name) => `${name} ${sizes.get(name)}\n`).join(''),
      stderr: '',
    });
    expect([...sizes.values()].every((size) => size >= 3)).toBe(true);
  },
  180_000,
);

test.skipIf(!hasGo)(
  "Go's sumdb refuses a log of evidence with a changed entry",
  () => {
    const path = `evidence/tile/entries/000.p/${sizes.get('evidence')}`;
    const entries = readFileSync(join(directory.path, path), 'latin1');
    save(path, Buffer.from(entries.replace('"index":1', '"index":7'), 'latin1'));
    const { exitCode, stderr } = verify();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('invalid transparency proof')]);
  },
  180_000,
);
