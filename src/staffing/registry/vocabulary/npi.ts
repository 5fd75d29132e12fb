/**
 * Returns whether `text` is a National Provider Identifier: ten digits, the first 1 or 2, the last the Luhn
 * check digit of the prefix 80840 and the other digits (ISO/IEC 7812-1; 45 CFR 162.406, CMS "NPI check digit
 * calculation").
 */
export function isNpi(text: string): boolean {
  return /^[12][0-9]{9}$/.test(text) && npiCheckDigit(text.slice(0, 9)) === Number(text[9]);
}

/** Returns the check digit for the first nine digits of an NPI. */
export function npiCheckDigit(nine: string): number {
  let sum = SUM_OF_PREFIX;
  for (let index = 0; index < nine.length; index++) {
    const value = (nine.charCodeAt(index) - 0x30) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return (10 - (sum % 10)) % 10;
}

/** The contribution of the prefix 80840 to the Luhn sum of the fifteen digits. */
const SUM_OF_PREFIX = 24;
