/** The bytes of the id of a receipt. */
export const ID_BYTES = 16;

/** The beginning of the text of an id. */
export const ID_PREFIX = 'rcpt_';

/**
 * Writes the bytes of a receipt's id into an array. Every entry of a log passes here, so nothing is
 * allocated.
 * @param receiptId rcpt_ and 32 lower-case hexadecimal characters
 * @param start the position of the first byte
 */
export function writeId(receiptId: string, ids: Uint8Array, start: number): void {
  for (let byte = 0; byte < ID_BYTES; byte++) {
    const at = ID_PREFIX.length + 2 * byte;
    ids[start + byte] = hexDigit(receiptId.charCodeAt(at)) * 16 + hexDigit(receiptId.charCodeAt(at + 1));
  }
}

/** Returns the text of a receipt's id. @param id its bytes */
export function idText(id: Uint8Array): string {
  return `${ID_PREFIX}${id.toHex()}`;
}

/** Returns the value of a lower-case hexadecimal digit. @param code its character code */
export function hexDigit(code: number): number {
  return code < 0x40 ? code - 0x30 : code - 0x57;
}
