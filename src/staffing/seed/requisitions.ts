import type { Tier } from '../../../db/staffing/accounts-enums.ts';
import { derivedHex } from '../../platform/test-service/seed/names.ts';
import { API, isLive, type Scene } from './scene.ts';
import type { SeedRequisition } from './schema.ts';

/** Adds the requisitions of a seed: partners submit them, and they get their status. */
export function addRequisitions(scene: Scene): void {
  const { chronology, seed, ask, ids } = scene;
  for (const [index, entry] of (seed.content.requisitions ?? []).entries()) {
    const path = ['requisitions', index];
    const { id: name = `requisition ${index}`, partner, submitted = 'now', changed = submitted } = entry;
    const { id: _id, partner: _partner, tier: _tier, submitted: _at, status, changed: _to, ...body } = entry;
    const tier = entry.tier ?? tierOf(scene, partner);
    const key = scene.keyOf(partner, tier, [...path, 'partner']);
    const id = name.startsWith('req_') ? name : `req_${derivedHex('requisition', name).slice(0, 32)}`;
    const first = tier === 'live' ? 'open' : 'submitted';
    chronology.add(submitted, path, async () => {
      ids.reserve(id);
      await ask(`POST ${API}/jobs`, { key, body });
    });
    if (status === undefined || status === first) {
      if (entry.changed === undefined) continue;
      throw seed.problemAt(
        [...path, 'changed'],
        `contradicts the status: it is ${first} when it is submitted`,
      );
    }
    chronology.add(changed, [...path, 'status'], async () => {
      if (status === 'cancelled') await ask(`POST ${API}/jobs/${id}/cancel`, { key });
      else await scene.administrator(`POST ${API}/admin/jobs/${id}/status`, { body: { status } });
    });
  }
}

/** Returns the tier of a requisition that names none: live if its partner is live. */
function tierOf({ seed }: Scene, label: SeedRequisition['partner']): Tier {
  const partner = label === undefined ? undefined : seed.content.partners?.[label];
  return partner !== undefined && isLive(partner) ? 'live' : 'sandbox';
}
