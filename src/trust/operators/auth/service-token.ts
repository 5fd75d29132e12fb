import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/crypto.ts';
import type { Store } from '../../../platform/store/store.ts';
import { serviceTokenHash } from '../store.ts';

const SERVICE_TOKEN = /^svc_[0-9a-f]{64}$/;

/** Knows the service token by its SHA-256, which is fixed before the first request and read once. */
export class ServiceToken {
  private hash: Buffer | null = null;

  constructor(private readonly store: Store) {}

  /** Whether this is the token. Takes as long for every token of its form. */
  async matches(token: string): Promise<boolean> {
    if (!SERVICE_TOKEN.test(token)) return false;
    this.hash ??= await this.read();
    return timingSafeEqual(sha256(token), this.hash);
  }

  private async read(): Promise<Buffer> {
    const hash = await this.store.read(serviceTokenHash);
    if (hash === undefined) throw new Error('the first start made no service token');
    return Buffer.from(hash, 'hex');
  }
}
