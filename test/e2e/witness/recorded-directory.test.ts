import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch, witness } from '../../support/process.ts';
import { expected, unpack } from '../../support/recorded/archive.ts';
import { witnessFacts } from '../../support/recorded/witness-facts.ts';

const { policy, facts } = expected().witness;

const directory = scratch();
afterAll(() => directory.dispose());

test('the recorded directory of a witness has its keys and the logs that it cosigned', async () => {
  const logs = join(directory.path, 'logs.policy');
  writeFileSync(logs, policy);
  const data = unpack('witness', directory.path);
  const running = await witness(data, ['--name', facts.name, '--logs', logs, '--rate-limits', 'off']);
  expect(await witnessFacts(running, Object.keys(facts.logs))).toEqual(facts);
  await running.stop();
}, 180_000);
