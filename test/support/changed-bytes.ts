/** Bytes with one thing changed. */
export interface TamperedBytes {
  /** Which byte was changed, such as `byte 3`, from 0. */
  path: string;
  bytes: Uint8Array;
}

/**
 * Returns the bytes with each byte changed in several ways, one at a time, dropped and doubled, and cut in
 * several places.
 */
export function byteTamperings(bytes: Uint8Array): TamperedBytes[] {
  const found: TamperedBytes[] = [];
  for (const [at, byte] of bytes.entries()) {
    const path = `byte ${at}`;
    const spliced = (...instead: number[]): Uint8Array =>
      Buffer.concat([bytes.subarray(0, at), Buffer.from(instead), bytes.subarray(at + 1)]);
    for (const flip of [0x01, 0x80]) found.push({ path, bytes: spliced(byte ^ flip) });
    if (at % 8 !== 0) continue;
    found.push({ path, bytes: spliced() }, { path, bytes: spliced(byte, byte) });
    found.push({ path, bytes: bytes.subarray(0, at) });
  }
  return found;
}
