/**
 * Records data directories of a version of the executable, which all later versions must open:
 * `bun scripts/record-directory.ts EXECUTABLE OUT`. It uses only commands and the HTTP API of that
 * executable. OUT is a new directory for the archives and `expected.json`. Needs GNU tar.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LOG_NAMES, originOf } from '../src/proof/log/log-names.ts';
import { useExecutable } from '../test/support/process.ts';
import { type Expected, type ExpectedTrust, pack, unpack } from '../test/support/recorded/archive.ts';
import type { Known } from '../test/support/recorded/known.ts';
import { command, served } from '../test/support/recorded/session.ts';
import { staffingFacts } from '../test/support/recorded/staffing-facts.ts';
import { administratorFacts, trustFacts } from '../test/support/recorded/trust-facts.ts';
import { Watching } from '../test/support/recorded/watching.ts';
import { witnessFacts } from '../test/support/recorded/witness-facts.ts';
import { recordBilling } from './record/billing.ts';
import { recordStaffing } from './record/staffing.ts';
import { ORIGIN, recordTrust } from './record/trust.ts';

const [, , executable, out] = process.argv;
if (executable === undefined || out === undefined) {
  process.stderr.write('usage: bun scripts/record-directory.ts EXECUTABLE OUT\n');
  process.exit(2);
}

useExecutable(resolve(executable));
mkdirSync(out);
const root = mkdtempSync(join(tmpdir(), 'countersign-record-'));
try {
  const recorded = {
    trust: await recordTrust(root),
    billing: await recordBilling(root),
    staffing: await recordStaffing(root),
  };
  for (const name of ['trust', 'billing', 'staffing', 'witness'] as const) pack(name, root, out);
  writeFileSync(join(out, 'expected.json'), `${JSON.stringify(await read(root, out, recorded), null, 1)}\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Reads the packed directories with the executable that recorded them. */
async function read(
  root: string,
  archives: string,
  { trust, billing, staffing }: { trust: Known; billing: Known; staffing: Expected['staffing']['known'] },
): Promise<Expected> {
  const copies = mkdtempSync(join(root, 'copies-'));
  const trustOf = async (name: 'trust' | 'billing', known: Known): Promise<ExpectedTrust> => {
    const data = unpack(name, copies, archives);
    const administrator = await administratorFacts(data);
    const facts = await served(data, { read_only: 'on' }, [], ({ url }) => trustFacts(url, known));
    return { known, facts, administrator };
  };
  const [ofTrust, ofBilling] = [await trustOf('trust', trust), await trustOf('billing', billing)];
  const staffed = unpack('staffing', copies, archives);
  const watching = new Watching(copies, ORIGIN, unpack('witness', copies, archives));
  // The log was restarted once, after which it has another name.
  const origins = [ORIGIN, `${ORIGIN}-2`].flatMap((common) => LOG_NAMES.map((log) => originOf(common, log)));
  const facts = await watching.watched(join(copies, 'trust'), (_, running) => witnessFacts(running, origins));
  return {
    version: (await command(['version'])).trim(),
    recorded_at: new Date().toISOString(),
    trust: ofTrust,
    billing: ofBilling,
    staffing: {
      known: staffing,
      facts: await served(staffed, {}, ['--service', 'staffing'], ({ url }) =>
        staffingFacts(url, staffed, staffing),
      ),
    },
    witness: { policy: readFileSync(watching.logs, 'utf8'), facts },
  };
}
