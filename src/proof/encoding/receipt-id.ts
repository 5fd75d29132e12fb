/** Returns whether `text` is a receipt's identifier: rcpt_ and 32 lower-case hexadecimal characters. */
export function isReceiptId(text: string): boolean {
  return /^rcpt_[0-9a-f]{32}$/.test(text);
}
