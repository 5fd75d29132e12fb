import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/crypto.ts';
import type { Store } from '../../../platform/store/store.ts';
import { serviceTokenHash } from '../store.ts';

const SERVICE_TOKEN = /^svc_[0-9a-f]{64}$/;

/** Verifies the service token. Its SHA-256 is read once: it never changes while the service runs. */
export class ServiceToken {
  private hash: Buffer | null = null;

  constructor(private readonly store: Store) {}

  /** Returns whether this is the service token, in constant time for well-formed tokens. */
  async matches(token: string): Promise<boolean> {
    if (!SERVICE_TOKEN.test(token)) return false;
    this.hash ??= await this.read();
    return timingSafeEqual(sha256(token), this.hash);
  }

  private async read(): Promise<Buffer> {
    const hash = await this.store.read(serviceTokenHash);
    if (hash === null) throw new Error('the database has no service token');
    return Buffer.from(hash, 'hex');
  }
}
