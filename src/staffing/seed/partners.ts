import { derivedHex } from '../../platform/test-service/seed/names.ts';
import { API, isLive, type Scene } from './scene.ts';
import { FIRST } from './schema.ts';

/** Adds the partners of a seed: a sandbox account each, which may be promoted. */
export function addPartners(scene: Scene): void {
  const { chronology, seed, ask, ids } = scene;
  const partnerIds = new Map<string, string>();
  for (const [label, partner] of Object.entries(seed.content.partners ?? {})) {
    const path = ['partners', label];
    const { email = `${label.toLowerCase()}@seed.example`, company = label, at, promoted = at } = partner;
    scene.keyOf(label, 'sandbox', path);
    if (label === FIRST) {
      for (const member of ['email', 'company', 'partner_id', 'sandbox_key', 'at'] as const) {
        if (partner[member] === undefined) continue;
        throw seed.problemAt([...path, member], 'is not allowed: the service itself creates this partner');
      }
      chronology.add(undefined, path, async () => {
        const { account } = await ask(`GET ${API}/me`, { key: scene.keyOf(FIRST, 'sandbox', path) });
        partnerIds.set(label, String(Object(account).partner_id));
      });
    } else {
      chronology.add(at, path, async () => {
        ids.reserve(partner.partner_id ?? `ptr_${derivedHex('partner', label).slice(0, 32)}`);
        scene.reserveKey(label, partner, 'sandbox');
        const { partner_id } = await ask(`POST ${API}/sandbox-keys`, { body: { email, company } });
        partnerIds.set(label, String(partner_id));
      });
    }
    if (!isLive(partner)) continue;
    chronology.add(promoted, [...path, 'promoted'], async () => {
      scene.reserveKey(label, partner, 'live');
      await scene.administrator(`POST ${API}/admin/partners/${partnerIds.get(label)}/promote`);
    });
  }
}
