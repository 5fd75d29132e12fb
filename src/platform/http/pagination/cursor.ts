import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { type Static, type TSchema, type TTuple, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** The version of the format. Cursors of another version are refused. */
const VERSION = 2;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/**
 * A position is padded to a multiple of this, so that the length of a cursor does not reveal the length of a
 * name in it.
 */
const BLOCK_BYTES = 64;
const LONGEST = 2048;

/** A list with pages. `position` is the schema of a row's position in the order of the list. */
export interface CursorList<Position extends TTuple> {
  /** Unique among the lists of a service. Changes when a position means something else. */
  readonly name: string;
  readonly position: Position;
}

/** The filters and the owner of a list. A cursor is valid only for the same ones. */
type Filters = readonly (string | number | boolean | null | undefined)[];

/** The cursors of one list with one set of filters. */
export interface PageCursors<Position> {
  /** Returns the cursor of the page after `position`. The same position has the same cursor. */
  write(position: Position): string;
  /**
   * Returns the position of a cursor; null unless `write` created it with this list, these filters and this
   * key.
   */
  read(cursor: string): Position | null;
}

/**
 * Writes and reads the cursors of a service's lists. A cursor is encrypted and authenticated: it reveals
 * nothing of the last row of a page, and only positions that the service wrote reach a query.
 *
 * AES-256-GCM (NIST SP 800-38D); the list, its filters and the version are associated data. The nonce is an
 * HMAC-SHA256 of all encrypted and associated data, as in a SIV mode. Two different messages have the same
 * nonce with a probability of 2^-96, and repeated requests for one page use up no nonces.
 */
export class Cursors {
  private readonly encryptionKey: Buffer;
  private readonly nonceKey: Buffer;

  /** @param key 32 random bytes, which the service stores in its database */
  constructor(key: Uint8Array) {
    if (key.length !== KEY_BYTES) throw new RangeError(`a cursor key has ${KEY_BYTES} bytes`);
    this.encryptionKey = Buffer.from(hkdfSync('sha256', key, '', 'cursor encryption', KEY_BYTES));
    this.nonceKey = Buffer.from(hkdfSync('sha256', key, '', 'cursor nonce', KEY_BYTES));
  }

  /** Returns the cursors of `list` with these filters. */
  of<Position extends TTuple>(
    { name, position: shape }: CursorList<Position>,
    filters: Filters,
  ): PageCursors<Static<Position>> {
    // Most requests are for the first page and come from a cache: they need no associated data.
    let made: Buffer | undefined;
    const associated = (): Buffer => {
      made ??= Buffer.from(JSON.stringify([VERSION, name, filters]));
      return made;
    };
    return {
      write: (position) => this.encrypt(JSON.stringify(position), associated()),
      read: (cursor) => {
        const text = this.decrypt(cursor, associated());
        return text === null ? null : positionIn(text, shape);
      },
    };
  }

  private encrypt(text: string, associated: Buffer): string {
    const length = Buffer.byteLength(text);
    // JSON may end with spaces.
    const padded = Buffer.alloc(Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES, ' ');
    padded.write(text);
    const mac = createHmac('sha256', this.nonceKey);
    const nonce = mac.update(associated).update('\0').update(padded).digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.encryptionKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associated);
    const parts = [nonce, cipher.update(padded), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString('base64url');
  }

  private decrypt(cursor: string, associated: Buffer): string | null {
    if (cursor.length > LONGEST) return null;
    const bytes = Buffer.from(cursor, 'base64url');
    const ciphertextBytes = bytes.length - NONCE_BYTES - TAG_BYTES;
    if (ciphertextBytes < BLOCK_BYTES || ciphertextBytes % BLOCK_BYTES !== 0) return null;
    // Decoding ignores characters that are not base64url; a cursor has only one valid encoding.
    if (bytes.toString('base64url') !== cursor) return null;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.encryptionKey, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associated);
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      decipher.final();
    } catch {
      return null;
    }
    return text.toString();
  }
}

/** A non-negative integer of a position, such as a sequence number or a count. */
export const positionNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A stored time of a position: UTC with milliseconds. */
export const positionTime = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}Z$' });

/**
 * Returns the position in decrypted text; null for another shape, which another version of the program wrote.
 */
function positionIn<Shape extends TSchema>(text: string, shape: Shape): Static<Shape> | null {
  const position: unknown = JSON.parse(text);
  return Value.Check(shape, position) ? position : null;
}
