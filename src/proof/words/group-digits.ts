/** Returns a rounded number with commas between its thousands. */
export function groupDigits(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
