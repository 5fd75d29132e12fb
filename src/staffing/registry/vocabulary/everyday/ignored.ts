/**
 * Words of the trade that select nobody; ignored where something else is named. The second list is ignored
 * only if it must be.
 */
export const IGNORED: readonly string[] = [
  'travel traveler traveller traveling travelling per diem perdiem prn locum locums tenens ' +
    'contract contractor temp temporary perm ' +
    'permanent full part time fulltime parttime strike crisis local agency registry job position ' +
    'opening opportunity assignment shift ' +
    'day night evening weekend noc nocturnal week month hour hr 13 12 8 10 12hr w2 1099 needed ' +
    'wanted need hiring staffing hire immediate asap ' +
    'new grad graduate experienced remote onsite hybrid the a an for at with to looking search float',
  'staff licensed registered certified certification board eligible credentialed bc be cert reg ' +
    'senior sr lead charge head junior jr ' +
    'qualified bls acls pals tncc clinical general level i ii iii iv 1 2 3 inpatient outpatient ' +
    'adult hospital unit department dept ' +
    'floor provider service professional clinician worker telehealth telemedicine virtual tele us ' +
    'usa bsn adn msn dnp phd faap facp facs ' +
    'specialist practice team care acute rotating academic rural private group member retail ',
];

/** Short forms that stand for a longer word where it is next to another one: "peds GI", "derm NP". */
export const SHORT: Readonly<Record<string, string>> = {
  peds: 'pediatric',
  ped: 'pediatric',
  pedi: 'pediatric',
  child: 'pediatric',
  derm: 'dermatology',
  gi: 'gastroenterology',
  gastro: 'gastroenterology',
  pulm: 'pulmonology',
  pulmonary: 'pulmonology',
  endo: 'endocrinology',
  neph: 'nephrology',
  renal: 'nephrology',
  rheum: 'rheumatology',
  onc: 'oncology',
  heme: 'hematology',
  hem: 'hematology',
  uro: 'urology',
  neuro: 'neurology',
  ent: 'otolaryngology',
  psych: 'psychiatry',
  ortho: 'orthopedic',
  anes: 'anesthesiology',
  anesthesia: 'anesthesiology',
  rad: 'radiology',
  rads: 'radiology',
  cardiac: 'cardiology',
  cardio: 'cardiology',
  cards: 'cardiology',
  geri: 'geriatric',
  er: 'emergency',
  ed: 'emergency',
  med: 'medicine',
  surg: 'surgery',
  path: 'pathology',
};
