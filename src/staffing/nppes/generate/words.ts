/** Texts of made-up rows that a registry does not contain, or that it has few of. */

/** The ends of names of towns. With a beginning of a surname they make about 1,500 names. */
export const TOWN_ENDINGS =
  'VILLE|TON|FIELD|BURG|FORD|WOOD|DALE|PORT|HAVEN|SIDE| SPRINGS| CITY| FALLS| PARK| BEACH'.split('|');

/** The ends of rare first names. */
export const FIRST_NAME_ENDINGS =
  'A AH AN ELLE EN ETTE I IA IAN IEL INA ISHA ITA LEE LYN NA ON RA SHAWN TTE'.split(' ');

/** The second parts of rare first names, which make some ten thousand of them. */
export const FIRST_NAME_MIDDLES = 'A AR AV E EL ER I IL IS O OL OR U Y'.split(' ');

/** The third parts of rare surnames, which make some hundred thousand of them. */
export const SURNAME_TAILS = 'A ANI ARD ATO E EK ELLO ER ERO I IAN IDIS ILLO IN O OS OU S SKI U'.split(' ');

/** Further names of towns: a first letter more makes them more. */
export const STREETS =
  'MAIN ST|OAK AVE|PARK BLVD|2ND ST|HOSPITAL DR|ELM ST|COUNTY ROAD 12|LAKE SHORE DR|BROADWAY|"OLD" MILL RD'.split(
    '|',
  );
export const SUITES =
  'STE 100|SUITE 210, BLDG {B}|APT 4|FL 3|UNIT "C"|DEPT OF NURSING, 4TH FLOOR|PO BOX 1120'.split('|');

/** Places outside of the United States: country, state, city, postal code. WA is Western Australia. */
export const FOREIGN_PLACES: readonly (readonly [
  country: string,
  state: string,
  city: string,
  postalCode: string,
])[] = [
  ['CA', 'ON', 'TORONTO', 'M5V 2T6'],
  ['CA', 'BRITISH COLUMBIA', 'VANCOUVER', 'V6B 1A1'],
  ['AU', 'WA', 'PERTH', '6000'],
  ['DE', 'BAYERN', 'MÜNCHEN', '80331'],
  ['IN', 'MH', 'MUMBAI', '400001'],
  ['MX', 'BC', 'TIJUANA', '22000'],
  ['GB', '', 'LONDON', 'SW1A 1AA'],
];

export const ORGANIZATIONS =
  'MEDICAL GROUP, INC|HOSPITAL|HOME HEALTH LLC|PHARMACY #12|"FAMILY" CLINIC, P.C.|NURSING & REHAB CENTER'.split(
    '|',
  );
export const ORGANIZATION_CODES = '261QP2300X|282N00000X|251E00000X|333600000X|332B00000X|314000000X'.split(
  '|',
);
export const PREFIXES = ['DR.', 'MS.', 'MR.', 'MRS.'] as const;
