/** The 50 states, the district, the territories and freely associated states, and the armed forces (USPS). */
const STATES: ReadonlySet<string> = new Set(
  (
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA ' +
    'RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI FM MH PW AA AE AP'
  ).split(' '),
);

/** Returns the upper-case abbreviation of a state; null for another text. */
export function stateOf(text: string): string | null {
  const state = text.trim().toUpperCase();
  return STATES.has(state) ? state : null;
}
