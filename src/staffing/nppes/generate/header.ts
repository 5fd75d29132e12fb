/**
 * The names of the 330 columns of a V2 file, in its order (CMS, "NPPES Data Dissemination File, Version 2").
 */
export const HEADER: readonly string[] = [
  'NPI',
  'Entity Type Code',
  'Replacement NPI',
  'Employer Identification Number (EIN)',
  'Provider Organization Name (Legal Business Name)',
  'Provider Last Name (Legal Name)',
  'Provider First Name',
  'Provider Middle Name',
  'Provider Name Prefix Text',
  'Provider Name Suffix Text',
  'Provider Credential Text',
  'Provider Other Organization Name',
  'Provider Other Organization Name Type Code',
  'Provider Other Last Name',
  'Provider Other First Name',
  'Provider Other Middle Name',
  'Provider Other Name Prefix Text',
  'Provider Other Name Suffix Text',
  'Provider Other Credential Text',
  'Provider Other Last Name Type Code',
  ...address('Mailing'),
  ...address('Practice Location'),
  'Provider Enumeration Date',
  'Last Update Date',
  'NPI Deactivation Reason Code',
  'NPI Deactivation Date',
  'NPI Reactivation Date',
  'Provider Sex Code',
  'Authorized Official Last Name',
  'Authorized Official First Name',
  'Authorized Official Middle Name',
  'Authorized Official Title or Position',
  'Authorized Official Telephone Number',
  ...numbered(15, (slot) => [
    `Healthcare Provider Taxonomy Code_${slot}`,
    `Provider License Number_${slot}`,
    `Provider License Number State Code_${slot}`,
    `Healthcare Provider Primary Taxonomy Switch_${slot}`,
  ]),
  ...numbered(50, (slot) => [
    `Other Provider Identifier_${slot}`,
    `Other Provider Identifier Type Code_${slot}`,
    `Other Provider Identifier State_${slot}`,
    `Other Provider Identifier Issuer_${slot}`,
  ]),
  'Is Sole Proprietor',
  'Is Organization Subpart',
  'Parent Organization LBN',
  'Parent Organization TIN',
  'Authorized Official Name Prefix Text',
  'Authorized Official Name Suffix Text',
  'Authorized Official Credential Text',
  ...numbered(15, (slot) => [`Healthcare Provider Taxonomy Group_${slot}`]),
  'Certification Date',
];

function address(kind: string): string[] {
  return [
    `Provider First Line Business ${kind} Address`,
    `Provider Second Line Business ${kind} Address`,
    `Provider Business ${kind} Address City Name`,
    `Provider Business ${kind} Address State Name`,
    `Provider Business ${kind} Address Postal Code`,
    `Provider Business ${kind} Address Country Code (If outside U.S.)`,
    `Provider Business ${kind} Address Telephone Number`,
    `Provider Business ${kind} Address Fax Number`,
  ];
}

function numbered(count: number, namesOf: (slot: number) => string[]): string[] {
  return Array.from({ length: count }, (_, index) => namesOf(index + 1)).flat();
}
