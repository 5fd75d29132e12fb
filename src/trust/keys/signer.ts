import type { KeyObject } from 'node:crypto';
import { signEd25519 } from '../../platform/crypto.ts';
import { bytesToHex } from '../../proof/hex.ts';
import type { KeyPurpose } from './store.ts';

/** An active private key, with the number by which rows name it. */
export interface ActiveKey {
  keySeq: number;
  kid: string;
  privateKey: KeyObject;
}

export interface Signed {
  /** 128 lower-case hexadecimal characters. */
  signature: string;
  kid: string;
  keySeq: number;
}

/** Holds the active Ed25519 keys. Signing is synchronous, so a transaction's body may do it. */
export class Signer {
  constructor(private readonly active: ReadonlyMap<KeyPurpose, ActiveKey>) {}

  /** Signs `message` with the active key of `purpose`. */
  sign(purpose: KeyPurpose, message: Uint8Array): Signed {
    const key = this.active.get(purpose);
    if (key === undefined) throw new Error(`no active key for ${purpose}`);
    const { kid, keySeq, privateKey } = key;
    return { signature: bytesToHex(signEd25519(privateKey, message)), kid, keySeq };
  }
}
