/** Entry point of the Worker that builds packages. It loads the modules' builders, and no server code. */

import { runPackageWorker } from '../compliance/packages/worker.ts';
import { itemLeavesOf } from '../evidence/log/leaves.ts';
import { keyLeavesOf } from '../log/keys/log/leaves.ts';
import { accountLeavesOf } from '../receipts/linked/log/leaves.ts';
import { versionLeavesOf } from '../receipts/log/leaves.ts';
import type { TrustModule } from './module.ts';
import { trustModules } from './modules.ts';

async function buildersOf(modules: readonly TrustModule[]) {
  const loaded = await Promise.all(modules.map((module) => module.packageBuilders?.()));
  return loaded.flatMap((module) => module?.packageBuilders ?? []);
}

runPackageWorker(() => buildersOf(trustModules), {
  receipts: (snapshot, from, to) => versionLeavesOf(snapshot, 'receipts', from, to),
  keys: keyLeavesOf,
  revocations: (snapshot, from, to) => versionLeavesOf(snapshot, 'revocations', from, to),
  evidence: itemLeavesOf,
  accounts: accountLeavesOf,
});
