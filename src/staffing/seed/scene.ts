import type { Tier } from '../../../db/staffing/accounts-enums.ts';
import type { ApiCall } from '../../platform/demo/api-client.ts';
import type { KnownIds } from '../../platform/demo/known-ids.ts';
import type { Chronology } from '../../platform/test-service/seed/chronology.ts';
import { derivedHex } from '../../platform/test-service/seed/names.ts';
import type { Path, Seed } from '../../platform/test-service/seed/read-seed.ts';
import { isPartnerKey, keyPrefix, newPartnerKey } from '../accounts/keys/key-format.ts';
import type { StaffingService } from '../service/service.ts';
import { FIRST, type SeedPartner, type StaffingSeed } from './schema.ts';

/** The path of the API. */
export const API = '/api/staffing/partner/v1';

/** The secrets of a first start. */
export interface FirstSecrets {
  adminToken: string;
  /** The key of the partner `first`; null if the service made none. */
  apiKey: string | null;
}

/** The service that a seed fills, and who acts in it. */
export class Scene {
  constructor(
    readonly seed: Seed<StaffingSeed>,
    readonly chronology: Chronology,
    readonly ask: ApiCall,
    readonly ids: KnownIds,
    readonly staffing: StaffingService['staffing'],
    private readonly secrets: FirstSecrets,
  ) {}

  /** Sends a request of the administrator. */
  administrator: ApiCall = (line, request = {}) =>
    this.ask(line, { ...request, key: this.secrets.adminToken });

  /**
   * Returns the key of a partner for a tier. @param label by default the partner of the ready file
   * @throws Failure for an unknown partner, and for a partner that is not live
   */
  keyOf(label: string | undefined, tier: Tier, path: Path): string {
    const { partners = {} } = this.seed.content;
    const name = label ?? FIRST;
    const partner = Object.hasOwn(partners, name) ? partners[name] : undefined;
    if (name === FIRST && tier === 'sandbox' && this.secrets.apiKey !== null) return this.secrets.apiKey;
    if (partner === undefined)
      throw this.seed.problemAt(path, `is ${name}, but the seed has no partner of this name`);
    if (tier === 'live' && !isLive(partner))
      throw this.seed.problemAt(path, `is ${name}, who is not live: add promoted to the partner`);
    return this.givenKey(name, partner, tier) ?? derivedKey(name, tier);
  }

  /**
   * Reserves the key that a partner gets next.
   * @throws Failure for a key with a wrong checksum
   */
  reserveKey(label: string, partner: SeedPartner, tier: Tier): void {
    const key = this.givenKey(label, partner, tier) ?? derivedKey(label, tier);
    this.ids.reserve(key.slice(0, keyPrefix(tier).length + RANDOM));
  }

  private givenKey(label: string, partner: SeedPartner, tier: Tier): string | null {
    const member = tier === 'live' ? 'live_key' : 'sandbox_key';
    const key = partner[member];
    if (key === undefined) return null;
    if (isPartnerKey(key)) return key;
    const right = keyWith(key.slice(0, keyPrefix(tier).length + RANDOM), tier);
    throw this.seed.problemAt(['partners', label, member], `has a wrong checksum; write ${right}`);
  }
}

/** The letters and digits of a key between its prefix and its checksum. */
const RANDOM = 34;

/** Returns whether a partner of a seed gets a live key. */
export function isLive({ promoted, live_key }: SeedPartner): boolean {
  return promoted !== undefined || live_key !== undefined;
}

function derivedKey(label: string, tier: Tier): string {
  return keyWith(keyPrefix(tier) + derivedHex(`${tier} key`, label).slice(0, RANDOM), tier);
}

/** Returns a key with its checksum. @param text all before the checksum */
function keyWith(text: string, tier: Tier): string {
  const newText = (): string => text;
  return newPartnerKey({ newText }, tier);
}
